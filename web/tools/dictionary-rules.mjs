// The rules of the dictionaries, as functions of their texts and of the source.

export function placeholders(message) {
  const texts = typeof message === "string" ? [message] : Object.values(message);
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1])))].sort();
}

/** What is wrong between the two, as lines. */
export function differences(en, zh) {
  const found = [];
  for (const key of Object.keys(en)) {
    if (!(key in zh)) found.push(`zh.json lacks "${key}"`);
    else if (String(placeholders(en[key])) !== String(placeholders(zh[key])))
      found.push(`"${key}": {${placeholders(en[key])}} in en.json, {${placeholders(zh[key])}} in zh.json`);
  }
  for (const key of Object.keys(zh)) if (!(key in en)) found.push(`en.json lacks "${key}"`);
  return found;
}

/** Keys that no source names. A template `a.${x}` uses every key that begins with "a.". */
export function unused(en, source) {
  const literals = new Set([...source.matchAll(/"([a-z][\w-]*(?:\.[\w-]+)+)"/g)].map((m) => m[1]));
  const prefixes = [...source.matchAll(/`([a-z][\w-]*(?:\.[\w-]+)*\.)\$\{/g)].map((m) => m[1]);
  return Object.keys(en)
    .filter((key) => !literals.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)))
    .map((key) => `"${key}" of en.json is used nowhere`);
}

/** Words between tags and in attributes that are read, which would be shown in one language only. */
export function untranslated(name, source) {
  const text = />\s*([A-Za-z][A-Za-z]+(?: [A-Za-z]+)*[.:!?]?)\s*<\//g;
  const label = /\s(?:title|placeholder|aria-label|alt)="([^"]*[A-Za-z]{2}[^"]*)"/g;
  return [...source.matchAll(text), ...source.matchAll(label)]
    // what is typed as it stands, and the names of formats, are the same in all languages
    .filter((m) => !/^baleen\b|[\d/]|^[A-Z]{2,4}$/.test(m[1]))
    .map((m) => `${name}: "${m[1]}" bypasses t()`);
}
