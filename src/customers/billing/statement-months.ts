import type { Account } from '../../money/accounts/account.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import { monthOf } from '../../money/ledger/month-of.ts';

/** Returns the months in which an account has existed, newest first. */
export function statementMonths({ createdAt }: Account, now: number): string[] {
  const months: string[] = [];
  for (let at = createdAt; at <= now; at = calendarMonth(at).endsAt) months.push(monthOf(at));
  return months.reverse();
}
