import type { SqliteConnection } from '../sqlite-connection.ts';
import { type EntryRow, selectNumberUpTo } from './entries.ts';
import { BROKEN_SEAL, sealOf } from './seal.ts';

const insertRangeSql = 'INSERT INTO unconfirmed (first, last) VALUES ($first, $last) ON CONFLICT DO NOTHING';
const selectRangeSql = `
  SELECT 1 FROM (SELECT last FROM unconfirmed WHERE first <= $number ORDER BY first DESC LIMIT 1)
  WHERE last >= $number`;

/**
 * Tracks which entries belong to answers whose last byte may not have been sent. An answer is sent right
 * after its entry is written, so only the last moment before a crash is in doubt. The next start records that
 * range, and requests pay nothing for it.
 */
export class Deliveries {
  readonly #connection: SqliteConnection;
  #confirmed: number;
  /** True if the tables match their seal. */
  #isIntact: boolean;
  /** The ranges of unconfirmed entries, which the next seal covers. */
  #ranges: number[];
  /** The last entry at the previous pass. */
  #lastSeenNumber: number;

  constructor(connection: SqliteConnection, lastNumber: number) {
    this.#connection = connection;
    const { number, ranges, isIntact } = selectConfirmed(connection);
    this.#isIntact = isIntact;
    this.#ranges = ranges;
    this.#confirmed = number;
    this.#lastSeenNumber = lastNumber;
    if (!isIntact) this.#save(number);
    if (number >= lastNumber) return;
    connection.inOne(() => {
      connection.run(insertRangeSql, { first: number + 1, last: lastNumber });
      this.#ranges = selectRanges(connection);
      this.confirm(lastNumber);
    });
  }

  /**
   * Looks at the entries periodically. Answers of entries written before the previous pass have been sent.
   */
  pass(lastNumber: number): void {
    this.confirm(this.#lastSeenNumber);
    this.#lastSeenNumber = lastNumber;
  }

  confirm(number: number): void {
    if (number === this.#confirmed) return;
    this.#save(number);
    this.#confirmed = number;
  }

  /** Accepts the current content of the tables. */
  repair(): void {
    this.#isIntact = true;
    this.#ranges = selectRanges(this.#connection);
    this.#confirmed = selectNumberUpTo(this.#connection, this.#confirmed);
    this.#lastSeenNumber = selectNumberUpTo(this.#connection, this.#lastSeenNumber);
    this.#save(this.#confirmed);
  }

  isUnconfirmed({ number }: EntryRow): boolean {
    return this.#connection.first(selectRangeSql, { number }) !== undefined;
  }

  /** A crash leaves the former row or the new one. */
  #save(number: number): void {
    const seal = this.#isIntact ? sealOf('confirmed', number, ...this.#ranges) : BROKEN_SEAL;
    this.#connection.inOne(() => {
      this.#connection.run('DELETE FROM confirmed');
      this.#connection.run('INSERT INTO confirmed (number, seal) VALUES ($number, $seal)', { number, seal });
    });
  }
}

/**
 * Returns the number up to which all answers were sent, and the unconfirmed ranges.
 * `isIntact` is false if the rows were changed.
 */
export function selectConfirmed(connection: SqliteConnection): {
  number: number;
  ranges: number[];
  isIntact: boolean;
} {
  const [row, ...more] = connection.all('SELECT number, seal FROM confirmed');
  const number = Number(row?.number ?? 0);
  const ranges = selectRanges(connection);
  return {
    number,
    ranges,
    isIntact: more.length === 0 && row?.seal === sealOf('confirmed', number, ...ranges),
  };
}

const selectRanges = (connection: SqliteConnection): number[] =>
  connection
    .all('SELECT first, last FROM unconfirmed ORDER BY first')
    .flatMap(({ first, last }) => [Number(first), Number(last)]);
