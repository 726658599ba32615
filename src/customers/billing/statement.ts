import { isoTime } from '../../base/lib/iso-time.ts';
import type { Account } from '../../money/accounts/account.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import type { EntryKind } from '../../money/ledger/entry.ts';
import type { LedgerStore, UsageSum } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { monthOf } from '../../money/ledger/month-of.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { listMoney } from './money-lines.ts';

/**
 * A statement reads at most the newest entries of an account, so that a busy account cannot slow the server.
 */
const MAX_ROWS = { entries: 50_000, lines: 5_000 };

export type StatementEntry = {
  id: string;
  at: string;
  kind: EntryKind;
  balance: 'monthly' | 'purchased';
  credits: number;
  reason: string | null;
};

/** Lists the purchases, grants and usage of an account in a calendar month (UTC). */
export type AccountStatement = {
  accountId: string;
  accountName: string;
  month: string;
  from: number;
  to: number;
  entries: StatementEntry[];
  usage: readonly UsageSum[];
  /**
   * The time before which entries are missing, since the account has more entries than a statement reads. It
   * is null if none is missing. The sums of usage are always complete.
   */
  missingBefore: number | null;
};

/** Returns the months in which an account has existed, newest first. */
export function statementMonths({ createdAt }: Pick<Account, 'createdAt'>, now: number): string[] {
  const months: string[] = [];
  for (let at = createdAt; at <= now; at = calendarMonth(at).endsAt) months.unshift(monthOf(at));
  return months;
}

/** The entries come from the ledger, and the usage from its sums. */
export async function makeStatement(
  ledger: Pick<LedgerStore, 'listEntries' | 'sumUsage'>,
  account: Account,
  month: string,
): Promise<AccountStatement> {
  const { startsAt: from, endsAt: to } = calendarMonth(Date.parse(`${month}-01T00:00:00Z`));
  const accountId = account.id;
  const span = { since: from, until: to };
  const page = await listMoney(ledger, { accountId, purchasedMicrocredits: 0, ...span, limit: MAX_ROWS });
  const entries = page.lines.flatMap((line) => {
    if (line.kind === 'usage') return [];
    const { id, at, kind, period, microcredits, reason } = line.entry;
    const entry = { id, at: isoTime(at), kind, balance: balanceOf(period), reason };
    return { ...entry, credits: creditsOf(microcredits) };
  });
  const usage = await ledger.sumUsage({ accountId, from, to, by: 'model' });
  return {
    accountId,
    accountName: account.name,
    month,
    from,
    to,
    entries: entries.reverse(),
    usage,
    missingBefore: page.next && Math.min(page.next.at, to),
  };
}
