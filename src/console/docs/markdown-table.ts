/** Writes a table in Markdown. Line breaks in cells become spaces. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [lineOf(head), lineOf(head.map(() => '-')), ...rows.map(lineOf)].join('\n');

const lineOf = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
