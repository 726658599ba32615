/** Formats a table. Each row has a cell for each title. */
export const formatMarkdownTable = (
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string => [titles, titles.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
