import { isoTime } from '../../base/lib/iso-time.ts';
import type { Account } from '../../money/accounts/account.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import type { LedgerStore, UsageSum } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { listMoney } from './list-money.ts';
import type { MoneyEntry } from './money-line.ts';

/** A statement reads at most this many entries, the newest, so that a busy account cannot slow the server. */
const LIMIT = { entries: 50_000, lines: 5_000 };

/** A purchase, a grant or another change of credit that is not usage. */
export type StatementEntry = {
  id: string;
  at: string;
  kind: MoneyEntry['kind'];
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
   * The time before which entries are missing, since the account has more of them than a statement reads. It
   * is null if none is missing. The sums of usage are always complete.
   */
  missingBefore: number | null;
};

/** Makes the statement of a month. The entries come from the ledger, and the usage from its sums. */
export async function makeStatement(
  ledger: Pick<LedgerStore, 'listEntries' | 'sumUsage'>,
  account: Account,
  month: string,
): Promise<AccountStatement> {
  const { startsAt: from, endsAt: to } = calendarMonth(Date.parse(`${month}-01T00:00:00Z`));
  const { id: accountId, name: accountName } = account;
  const page = await listMoney(ledger, {
    accountId,
    purchasedMicrocredits: 0, // a statement shows no running balance
    since: from,
    until: to,
    limit: LIMIT,
  });
  const entries = page.lines.flatMap((line) => (line.kind === 'entry' ? statementEntry(line.entry) : []));
  return {
    accountId,
    accountName,
    month,
    from,
    to,
    entries: entries.reverse(),
    usage: await ledger.sumUsage({ accountId, from, to, by: 'model' }),
    missingBefore: page.next && Math.min(page.next.at, to),
  };
}

const statementEntry = ({ id, at, kind, period, microcredits, reason }: MoneyEntry): StatementEntry => ({
  id,
  at: isoTime(at),
  kind,
  balance: balanceOf(period),
  credits: creditsOf(microcredits),
  reason,
});
