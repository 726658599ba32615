import type { CalendarMonth } from '../../../ledger/calendar-month.ts';
import type { DayTokens } from '../../../ledger/token-day.ts';
import type { Connection } from '../connection.ts';
import { AccountSums } from './account-sums.ts';
import { hasCycles, selectBucket } from './buckets.ts';
import { entryOf, type PlacedEntry, selectLastNumber, selectWritten } from './entries.ts';
import { type Head, saveSummed, selectHead, selectSummed } from './heads.ts';
import { selectKeyExcess } from './key-excess.ts';
import { selectDayTokens } from './token-days.ts';
import { selectSpent } from './usage-sums.ts';

const ACCOUNTS_AT_A_TIME = 100;
const ENTRIES_AT_A_TIME = 1_000;

/**
 * Balances, roll-ups and heads as entries make them. Entries alone are written when something happens: what they add up to stands here
 * until it goes to its tables, an account's all at once, every now and then. After a crash it is added up again.
 */
export class RunningSums {
  readonly #connection: Connection;
  readonly #pending = new Map<string, AccountSums>();
  /** Accounts that are still to be written in this round, and the last entry that was in the sums when it began. */
  #round: string[] = [];
  #roundEnd: number;
  /** Of the last entry that is in a balance, and of the last that is on its way. */
  lastAdded: number;
  lastNumber: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    const summed = selectSummed(connection);
    // Never again a number that stands for entries that are in the sums, whatever has become of them.
    this.lastNumber = Math.max(selectLastNumber(connection), summed);
    this.lastAdded = this.lastNumber;
    this.#roundEnd = this.lastNumber;
    this.#addUp(summed);
    this.writeAll();
  }

  /** An entry that is written for good. */
  add(placed: PlacedEntry): void {
    const { accountId } = placed.entry;
    let sums = this.#pending.get(accountId);
    if (!sums) {
      sums = new AccountSums();
      this.#pending.set(accountId, sums);
    }
    sums.add(placed);
    this.lastAdded = Math.max(this.lastAdded, placed.head.number);
  }

  head(accountId: string): Head {
    return this.#pending.get(accountId)?.head ?? selectHead(this.#connection, accountId);
  }

  bucket(accountId: string, period: string): { granted: number; used: number } {
    const stored = selectBucket(this.#connection, { accountId, period });
    const pending = this.#pending.get(accountId)?.bucket(period);
    if (!pending) return stored;
    return { granted: stored.granted + pending.granted, used: stored.used + pending.used };
  }

  /** What counts against the key's cap. */
  spent(accountId: string, keyId: string, month: CalendarMonth): number {
    const charged = selectSpent(this.#connection, { accountId, keyId, ...month });
    const excess = selectKeyExcess(this.#connection, { accountId, keyId, month: month.startsAt });
    return charged - excess + (this.#pending.get(accountId)?.spent(keyId, month) ?? 0);
  }

  dayTokens(accountId: string): DayTokens {
    const stored = selectDayTokens(this.#connection, accountId);
    return this.#pending.get(accountId)?.dayTokens(stored) ?? stored;
  }

  hasCycles(accountId: string): boolean {
    const pending = this.#pending.get(accountId)?.periods ?? [];
    return Iterator.from(pending).some(isCycle) || hasCycles(this.#connection, accountId);
  }

  /** Of one account, for whoever reads its tables. */
  write(accountId: string): void {
    const sums = this.#pending.get(accountId);
    if (!sums) return;
    this.#inOne(() => sums.write(this.#connection, accountId));
    this.#pending.delete(accountId);
  }

  writeAll(): void {
    while (this.#pending.size > 0) this.writeSome();
  }

  /** Of some accounts, so that others do not wait for long. False: the round is over. */
  writeSome(): boolean {
    if (this.#round.length === 0) this.#beginRound();
    const ids = this.#round.slice(-ACCOUNTS_AT_A_TIME);
    if (ids.length === 0) return false;
    const isLast = ids.length === this.#round.length;
    this.#inOne(() => {
      for (const id of ids) this.#pending.get(id)?.write(this.#connection, id);
      if (isLast) saveSummed(this.#connection, this.#roundEnd);
    });
    for (const id of ids) this.#pending.delete(id);
    this.#round.length -= ids.length;
    return !isLast;
  }

  /** Neighbours in the tables are written together: of many accounts each would be a page of its own. */
  #beginRound(): void {
    this.#round = [...this.#pending.keys()].sort();
    this.#roundEnd = this.lastAdded;
  }

  /** All of it or nothing. */
  #inOne(change: () => void): void {
    this.#connection.run('SAVEPOINT sums');
    try {
      change();
      this.#connection.run('RELEASE sums');
    } catch (error) {
      if (this.#connection.inTransaction) {
        this.#connection.run('ROLLBACK TO sums');
        this.#connection.run('RELEASE sums');
      }
      throw error;
    }
  }

  /** What a process left that ended before it wrote the sums. */
  #addUp(summed: number): void {
    const heads = new Map<string, number>();
    const headOf = (accountId: string): number => {
      const known = heads.get(accountId) ?? selectHead(this.#connection, accountId).number;
      heads.set(accountId, known);
      return known;
    };
    for (let after = summed; ; ) {
      const rows = selectWritten(this.#connection, { after, limit: ENTRIES_AT_A_TIME });
      for (const row of rows) {
        const entry = entryOf(row);
        const head = { number: row.number, sequence: entry.sequence, hash: row.hash };
        if (row.number > headOf(entry.accountId)) this.add({ entry, head });
      }
      if (rows.length < ENTRIES_AT_A_TIME) return;
      after = rows.at(-1)!.number;
    }
  }
}

const isCycle = (period: string): boolean => period.startsWith('cycle-');
