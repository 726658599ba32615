import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { holdOrder } from './hold-order.ts';
import { refuseShortage } from './refuse-shortage.ts';

export type CreditCheck = {
  exchange: Exchange;
  principal: Principal;
  ledger: Pick<LedgerStore, 'hold' | 'void'>;
  now: number;
};

/** Returns the reason why the month's credits cannot pay for any request now. No credit stays held. */
export async function requireCredit(check: CreditCheck): Promise<Refusal | undefined> {
  const { exchange, principal, ledger, now } = check;
  const order = holdOrder({ exchange, principal, mode: 'subscription', now });
  const held = await ledger.hold(order);
  if ('shortage' in held) return refuseShortage({ exchange, principal, order, shortage: held });
  await ledger.void(held);
  return undefined;
}
