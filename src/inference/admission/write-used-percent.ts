import { Unavailable } from '../../base/errors/unavailable.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { paymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { LedgerStore, PeriodBalances } from '../../money/ledger/ledger-store.ts';
import type { Period } from '../../money/ledger/period.ts';
import { usedPercent } from '../../money/ledger/used-percent.ts';

/**
 * Adds the header with the used share of the period's credits to every response, except in pay-as-you-go
 * mode. The response has no such header while the store is unavailable.
 */
export function writeUsedPercent(
  ledger: Pick<LedgerStore, 'recentBalances'>,
  exchange: Exchange,
  principal: Principal,
): MaybeLater<void> {
  if (paymentMode(exchange, principal) === 'payg') return;
  const { period } = principal;
  try {
    const recent = ledger.recentBalances(principal.account.id, period);
    if (recent instanceof Promise)
      return recent.then(
        (balances) => writePercent(exchange, period, balances),
        (error) => leaveOut(exchange, error),
      );
    writePercent(exchange, period, recent);
  } catch (error) {
    leaveOut(exchange, error);
  }
}

/** An unavailable store is not reported here, since the answer itself says so. */
function leaveOut(exchange: Exchange, error: unknown): void {
  if (!(error instanceof Unavailable)) exchange.reportFailure(error);
}

function writePercent({ headers, snapshot }: Exchange, period: Period, balances: PeriodBalances): void {
  const { limitMicrocredits: limit } = period;
  const total = limit === null ? null : limit + balances.grantedMicrocredits;
  const percent = usedPercent(balances.usedMicrocredits, total);
  const text = percentTexts[Math.round(percent * 10)] ?? percent.toFixed(1);
  headers[snapshot.names.header.monthlyUsedPercent] = text;
}

/**
 * Holds the text of every tenth of a percent, since formatting a number costs as much as the rest of the
 * function.
 */
const percentTexts: readonly string[] = Array.from({ length: 1_001 }, (_, tenths) =>
  (tenths / 10).toFixed(1),
);
