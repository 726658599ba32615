import { readEntry } from '../../../money/ledger/entry-text.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { type EntryRow, selectNumbered } from './entries.ts';

/** The form of account ids. A damaged text may still contain one. */
const ACCOUNT_ID = /\bacct_[0-9A-Za-z]+/;

/**
 * Finds the account of a row, if necessary through the neighbours in its chain.
 * Returns undefined if nothing identifies it.
 */
export function accountOfRow(connection: SqliteConnection, row: EntryRow): string | undefined {
  return (
    readEntry(row)?.accountId ??
    accountInText(row.text) ??
    accountOfHead(connection, row.number) ??
    accountOfEarlier(connection, row) ??
    accountOfLater(connection, row)
  );
}

function accountInText(text: string): string | undefined {
  try {
    const [first] = JSON.parse(text) as unknown[];
    if (typeof first === 'string' && first !== '') return first;
  } catch {
    // The text is not valid JSON.
  }
  return ACCOUNT_ID.exec(text)?.[0];
}

const accountOfHead = (connection: SqliteConnection, number: number): string | undefined => {
  const head = connection.first('SELECT account_id FROM account_head WHERE number = $number', { number });
  return head && String(head.account_id);
};

function accountOfEarlier(connection: SqliteConnection, row: EntryRow): string | undefined {
  for (let { number, previous } = row; previous < number; ) {
    const earlier = selectNumbered(connection, previous);
    if (!earlier) return undefined;
    const found = readEntry(earlier)?.accountId ?? accountInText(earlier.text);
    if (found !== undefined) return found;
    ({ number, previous } = earlier);
  }
  return undefined;
}

/** No index supports this query, which only runs for damaged rows. */
const selectLaterSql = 'SELECT number FROM entry WHERE number > $number AND previous = $number LIMIT 1';

function accountOfLater(connection: SqliteConnection, row: EntryRow): string | undefined {
  for (let { number } = row; ; ) {
    const later = connection.first(selectLaterSql, { number });
    const found = later && selectNumbered(connection, Number(later.number));
    if (!found) return undefined;
    const accountId = readEntry(found)?.accountId ?? accountInText(found.text);
    if (accountId !== undefined) return accountId;
    number = found.number;
  }
}
