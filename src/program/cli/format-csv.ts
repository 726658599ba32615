/** A spreadsheet runs a cell that begins like this as a formula, even after spaces, unless it is a number. */
const FORMULA = /^\s*[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * Formats objects as CSV (RFC 4180) with a header. Nested fields are named with a dot, and lists are JSON.
 */
export function formatCsv(rows: readonly object[]): string {
  const flat = rows.map((row) => new Map(cellsOf(row, '')));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  // A field can be null in one row and an object in another one.
  const columns = names.filter((name) => !names.some((other) => other.startsWith(`${name}.`)));
  const lines = [columns, ...flat.map((row) => columns.map((name) => row.get(name) ?? ''))];
  return lines.map((line) => line.map(quoted).join(',')).join('\n');
}

function cellsOf(fields: object, prefix: string): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const path = prefix + name;
    if (typeof value !== 'object' || value === null) return [[path, value === null ? '' : String(value)]];
    return Array.isArray(value) ? [[path, JSON.stringify(value)]] : cellsOf(value, `${path}.`);
  });
}

/** Control characters are removed, since the output may be a terminal. An apostrophe disarms a formula. */
function quoted(cell: string): string {
  const plain = cell.replace(/[^\P{Cc}\t\n]/gu, '');
  const clean = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",\n]/.test(clean) ? `"${clean.replaceAll('"', '""')}"` : clean;
}
