// Tables for spreadsheets.

type Cell = string | number | null | undefined;

/** Quoted where needed; a text that a spreadsheet would calculate is marked as text. */
function cell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function csvOf(head: string[], rows: Cell[][]): string {
  return [head, ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/** Hands a file to the browser's downloads. */
export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
