import { isoTime } from '../../base/lib/iso-time.ts';
import { OneByOne } from '../../base/lib/one-by-one.ts';
import type { Account } from '../../money/accounts/account.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import type { LedgerStore, UsageSum } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { type CreditEntry, creditEntries, type EntrySpan } from './credit-entries.ts';

/** A statement is in memory as a whole, and its text has 300 bytes for each entry. */
const MAX_ENTRIES = 10_000;

/** A purchase, a grant or another change of credit that is not usage. */
export type StatementEntry = {
  id: string;
  at: string;
  kind: CreditEntry['kind'];
  balance: 'monthly' | 'purchased';
  credits: number;
  reason: string | null;
};

/** The purchases, grants and usage of an account in a calendar month (UTC). */
export type AccountStatement = {
  accountId: string;
  accountName: string;
  month: string;
  from: number;
  to: number;
  /** Oldest first. */
  entries: StatementEntry[];
  usage: readonly UsageSum[];
  /**
   * The time before which entries are missing, since the month has more entries than a statement shows.
   * `null` means that the entries are complete. The sums of usage always are.
   */
  missingBefore: number | null;
  /** The number of entries that cannot be read. Each may belong to the month. */
  unreadable: number;
};

type ListedEntries = Pick<AccountStatement, 'entries' | 'missingBefore' | 'unreadable'>;

export type StatementLedger = Pick<LedgerStore, 'listEntries' | 'sumUsage'>;
/** `client` aborts if nobody waits for the statement. */
export type StatementOrder = { account: Account; month: string; client: AbortSignal };

/**
 * Makes statements from the entries of the ledger and its sums of usage. One is made at a time, since a busy
 * account has millions of entries to read.
 */
export class Statements {
  readonly #ledger: StatementLedger;
  readonly #turns = new OneByOne();

  constructor(ledger: StatementLedger) {
    this.#ledger = ledger;
  }

  make(order: StatementOrder): Promise<AccountStatement> {
    return this.#turns.run(() => this.#make(order));
  }

  async #make({ account, month, client }: StatementOrder): Promise<AccountStatement> {
    const { startsAt: from, endsAt: to } = calendarMonth(Date.parse(`${month}-01T00:00:00Z`));
    const { id: accountId, name: accountName } = account;
    const listed = await this.#entriesOf({ accountId, from, to, client });
    const usage = await this.#ledger.sumUsage({ accountId, from, to, by: 'model' });
    return { accountId, accountName, month, from, to, usage, ...listed };
  }

  async #entriesOf(span: EntrySpan): Promise<ListedEntries> {
    const latestFirst: CreditEntry[] = [];
    let missingBefore: number | null = null;
    let unreadable = 0;
    for await (const entry of creditEntries(this.#ledger, span)) {
      if (entry.isUnreadable) unreadable++;
      else if (latestFirst.length < MAX_ENTRIES) latestFirst.push(entry);
      else {
        missingBefore = Math.max(missingBefore ?? 0, entry.at + 1);
        // A renewal has the time of its period's start, so entries before it can have later times.
        if (entry.kind !== 'renewal') break;
      }
    }
    const oldestFirst = latestFirst.reverse().sort((one, other) => one.at - other.at);
    return { entries: oldestFirst.map(statementEntry), missingBefore, unreadable };
  }
}

const statementEntry = ({ id, at, kind, period, microcredits, reason }: CreditEntry): StatementEntry => ({
  id,
  at: isoTime(at),
  kind,
  balance: balanceOf(period),
  credits: creditsOf(microcredits),
  reason,
});
