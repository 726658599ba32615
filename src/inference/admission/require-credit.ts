import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { holdOrder } from './hold-credit.ts';
import { refuseShortage } from './refuse-shortage.ts';

export type CreditCheck = {
  exchange: Exchange;
  principal: Principal;
  ledger: Pick<LedgerStore, 'hold' | 'void'>;
  now: number;
};

/** Why a request would not be paid for by the month's credits now, whatever it costs; nothing stays held. */
export async function requireCredit(check: CreditCheck): Promise<Refusal | undefined> {
  const { exchange, principal, ledger, now } = check;
  const order = holdOrder({ exchange, principal, mode: 'subscription', now });
  const held = await ledger.hold(order);
  if ('shortage' in held) return refuseShortage({ exchange, principal, order, shortage: held });
  ledger.void(held);
  return undefined;
}
