import type { Exchange } from '../../edge/http/exchange.ts';
import { paymentMode } from '../auth/payment-mode.ts';
import type { Principal } from '../auth/principal.ts';
import { higherOf, type LimitFigures } from './limit-figures.ts';

/** The figures that hold for a request: in pay-as-you-go mode beside a subscription, the higher of both plans'. */
export function figuresOf(exchange: Exchange, principal: Principal): LimitFigures {
  const { account, plan } = principal;
  if (account.plan === 'payg' || paymentMode(exchange, principal) !== 'payg') return plan;
  return higherOf(plan, exchange.snapshot.plans.payg);
}
