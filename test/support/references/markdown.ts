export const code = (text: string): string => `\`${text}\``;

/** A cell without a value. */
export const NO_VALUE = '–';

export const codes = (words: readonly string[]): string => words.map(code).join(', ') || NO_VALUE;

type Row = readonly string[];

export const table = (heads: Row, rows: readonly Row[]): string =>
  [heads, heads.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
