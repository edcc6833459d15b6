/** Drawn on a field of 16, in the colour of the text around. */
const PATHS = {
  close: "M3 4l1-1 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4z",
  down: "M7 2h2v6h3l-4 4-4-4h3zM3 13h10v1H3z",
  moon: "M9 2a6 6 0 1 0 5 9A5 5 0 0 1 9 2z",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7.5 1h1v2.5h-1zM7.5 12.5h1V15h-1zM1 7.5h2.5v1H1zM12.5 7.5H15v1h-2.5zM3 3.7L3.7 3l1.8 1.8-.7.7zM10.5 11.2l.7-.7L13 12.3l-.7.7zM3 12.3l1.8-1.8.7.7L3.7 13zM10.5 4.8L12.3 3l.7.7-1.8 1.8z",
  auto: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 3v10A5 5 0 0 0 8 3z",
  plus: "M7 3h2v4h4v2H9v4H7V9H3V7h4z",
  help: "M7 11h2v2H7zM5 3h6v5H9v2H7V6h2V5H5z",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
