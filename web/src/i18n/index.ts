// Every word of the page comes from here. The server sends codes and numbers, never sentences that
// would be shown; what people typed (names, commands) is shown as it is, isolated, through <Text>.
import { signal } from "../signals";
import type { ComponentChildren } from "preact";
import type en from "./en.json";

/** A text, or its forms by the plural rules of the language for the parameter {n}. */
type Message = string | { one?: string; other: string };
export type Key = keyof typeof en;
export type Language = "en" | "zh";
export type Params = Record<string, string | number>;

type Dictionary = Record<Key, Message>;

/** Each in a file of its own: a browser loads the one that it shows. */
const loaders: Record<Language, () => Promise<{ default: Dictionary }>> = {
  en: () => import("./en.json"),
  zh: () => import("./zh.json"),
};
let dictionary = {} as Dictionary;
const KEPT = "baleen.language";

function preferred(): Language {
  const kept = globalThis.localStorage?.getItem(KEPT);
  if (kept === "en" || kept === "zh") return kept;
  return /^zh\b/i.test(globalThis.navigator?.language ?? "") ? "zh" : "en";
}

/** Whose words are shown; others are loaded first. */
export const language = signal<Language>(preferred());

/** The language as Intl and `lang=` name it. */
export function locale(): string {
  return language.value === "zh" ? "zh-CN" : "en-GB";
}

/** Before the first text is asked for. */
export async function loadLanguage(): Promise<void> {
  dictionary = (await loaders[language.value]()).default;
}

export async function setLanguage(chosen: Language): Promise<void> {
  dictionary = (await loaders[chosen]()).default;
  language.value = chosen;
  globalThis.localStorage?.setItem(KEPT, chosen);
}

/** The message; asking for it makes what shows it follow the language. */
function messageOf(key: Key): Message {
  return language.value && dictionary[key];
}

function form(message: Message, n: unknown): string {
  if (typeof message === "string") return message;
  const rule = typeof n === "number" ? new Intl.PluralRules(locale()).select(n) : "other";
  return (rule === "one" ? message.one : undefined) ?? message.other;
}

function shown(value: string | number): string {
  return typeof value === "number" ? value.toLocaleString(locale()) : value;
}

/** The text of a key in the chosen language, with {name} replaced by the parameter of that name. */
export function t(key: Key, params: Params = {}): string {
  return form(messageOf(key), params["n"]).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : shown(value);
  });
}

/** The same with parameters that are elements, such as a name in <bdi>: children to render. */
export function tx(key: Key, params: Record<string, ComponentChildren>): ComponentChildren[] {
  const text = form(messageOf(key), params["n"]);
  return text.split(/(\{\w+\})/g).map((part) => {
    const value = /^\{\w+\}$/.test(part) ? params[part.slice(1, -1)] : part;
    return typeof value === "number" ? shown(value) : value;
  });
}

/** Whether a key made from a code of the server is known: a newer server may say more. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(dictionary, key);
}
