/** Spreadsheets run a text that begins like this as a formula, even after spaces. */
const FORMULA = /^(\s*[=+\-@]|[\t\r])/;

/** Quotes a text. An apostrophe disarms a formula. */
export function csvCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
