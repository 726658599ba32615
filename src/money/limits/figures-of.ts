import type { Exchange } from '../../edge/http/exchange.ts';
import { paymentMode } from '../auth/payment-mode.ts';
import type { Principal } from '../auth/principal.ts';
import { higherOf, type LimitFigures } from './limit-figures.ts';

/**
 * Returns the limits of a request. In pay-as-you-go mode on a subscription they are the higher of both plans'
 * limits.
 */
export function figuresOf(exchange: Exchange, principal: Principal): LimitFigures {
  const { account, plan } = principal;
  if (account.plan === 'payg' || paymentMode(exchange, principal) !== 'payg') return plan;
  return higherOf(plan, exchange.snapshot.plans.payg);
}
