import type { Refusal } from '../../base/errors/refusal.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { paymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { holdOrder } from './hold-credit.ts';
import { refuseShortage } from './refuse-shortage.ts';

export type UnpaidCheck = {
  exchange: Exchange;
  principal: Principal;
  ledger: Pick<LedgerStore, 'afford'>;
  now: number;
};

/**
 * Returns the refusal to report in place of `refusal`: the lack of purchased credit is reported first. Called only when the request is
 * refused anyway.
 */
export function unpaidBefore(refusal: Refusal, check: UnpaidCheck): MaybeLater<Refusal> {
  const { exchange, principal, ledger, now } = check;
  if (paymentMode(exchange, principal) !== 'payg') return refusal;
  const order = { ...holdOrder({ exchange, principal, mode: 'payg', now }), keyCapMicrocredits: null };
  return after(ledger.afford(order), (afforded) =>
    typeof afforded !== 'number' && afforded.shortage === 'nothing-purchased'
      ? refuseShortage({ exchange, principal, order, shortage: afforded })
      : refusal,
  );
}
