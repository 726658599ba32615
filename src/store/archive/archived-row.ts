import type { ChainedEntry } from '../../money/ledger/repair-entry.ts';

/** An entry with the account of its chain, which the text of a damaged entry may not name. */
export type ArchivedRow = ChainedEntry & { accountId: string };

/** The values of a line, in their order. */
type RowValues = [
  accountId: string,
  number: number,
  id: string,
  previous: number,
  text: string,
  hash: string,
];

/** Formats an entry as a line of a segment. */
export const formatRow = ({ accountId, number, id, previous, text, hash }: ArchivedRow): string =>
  `${JSON.stringify([accountId, number, id, previous, text, hash] satisfies RowValues)}\n`;

export function parseRow(line: string): ArchivedRow {
  const [accountId, number, id, previous, text, hash] = JSON.parse(line) as RowValues;
  return { accountId, number, id, previous, text, hash };
}
