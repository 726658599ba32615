import type { WrittenEntry } from '../../../ledger/entry.ts';
import type { Connection } from '../connection.ts';
import { type EntryRow, entryOf } from './entries.ts';

/**
 * Which entries are for answers whose last byte may not have left. An answer leaves right behind its entry, so that only the last moment
 * before a crash is in doubt: that is noted at the next start, and costs no request anything.
 */
export class Deliveries {
  readonly #connection: Connection;
  #confirmed: number;
  /** The last entry when it was asked before. */
  #seen: number;

  constructor(connection: Connection, lastNumber: number) {
    this.#connection = connection;
    this.#confirmed = Number(connection.first('SELECT number FROM confirmed')!.number);
    this.#seen = lastNumber;
    if (this.#confirmed >= lastNumber) return;
    connection.run(insertRange, { first: this.#confirmed + 1, last: lastNumber });
    this.confirm(lastNumber);
  }

  /** Every now and then: what was written by the last time has left. */
  pass(lastNumber: number): void {
    this.confirm(this.#seen);
    this.#seen = lastNumber;
  }

  confirm(number: number): void {
    if (number === this.#confirmed) return;
    this.#connection.run('UPDATE confirmed SET number = $number', { number });
    this.#confirmed = number;
  }

  /** As it is told to whoever asks for it. */
  mark(row: EntryRow): WrittenEntry {
    const entry = entryOf(row);
    const isUnconfirmed = this.#connection.first(selectRange, { number: row.number }) !== undefined;
    return isUnconfirmed ? { ...entry, isUnconfirmed } : entry;
  }
}

const insertRange = 'INSERT INTO unconfirmed (first, last) VALUES ($first, $last) ON CONFLICT DO NOTHING';
const selectRange = `
  SELECT 1 FROM (SELECT last FROM unconfirmed WHERE first <= $number ORDER BY first DESC LIMIT 1) WHERE last >= $number`;
