import { printable } from '../../base/schema/printable.ts';

export type Cell = string | number | boolean | null | undefined;
export type Column<Row> = { title: string; cell: (row: Row) => Cell };

/** The space between two columns. */
export const GAP = '  ';

/**
 * Formats a cell. An empty cell is a dash, so that every line has the same number of columns. Control
 * characters are removed.
 */
export function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  return printable(String(cell).replace(/\s+/g, ' '), Number.POSITIVE_INFINITY);
}

/** Formats rows under upper-case titles. Columns of numbers are right-aligned. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const lines = [columns.map(({ title }) => title.toUpperCase()), ...cells.map((row) => row.map(cellText))];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column]!))));
  const isNumeric = columns.map((_, column) => isNumberColumn(cells.map((row) => row[column])));
  return lines.map((line) => formatLine(line, widths, isNumeric)).join('\n');
}

/** Reports whether all cells that are present are numbers. */
function isNumberColumn(cells: readonly Cell[]): boolean {
  const present = cells.filter((cell) => cell !== null && cell !== undefined);
  return present.length > 0 && present.every((cell) => typeof cell === 'number');
}

function formatLine(
  line: readonly string[],
  widths: readonly number[],
  isNumeric: readonly boolean[],
): string {
  const cells = line.map((text, column) => {
    const padding = ' '.repeat(widths[column]! - Bun.stringWidth(text));
    return isNumeric[column] ? padding + text : text + padding;
  });
  return cells.join(GAP).trimEnd();
}
