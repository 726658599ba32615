import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from './principal.ts';

/** The source of payment: the plan's monthly credits, or purchased credit. */
export type PaymentMode = 'subscription' | 'payg';

/** Returns the mode that the header requests, or undefined without the header. */
export function requestedMode(exchange: Exchange): PaymentMode | undefined | Refusal {
  const name = exchange.snapshot.names.header.paymentMode;
  const value = exchange.request.headers.get(name);
  if (value === null) return undefined;
  if (value === 'payg' || value === 'subscription') return value;
  return new Refusal('invalid_request', { param: name, message: `${name} must be payg or subscription.` });
}

/**
 * Decides the mode. A pay-as-you-go account always uses purchased credit. For other accounts the header
 * decides, else the key's setting.
 */
export function paymentMode(exchange: Exchange, { account, apiKey }: Principal): PaymentMode | Refusal {
  const requested = requestedMode(exchange);
  if (requested instanceof Refusal) return requested;
  if (account.plan === 'payg')
    return requested === 'subscription' ? new Refusal('subscription_required') : 'payg';
  return requested ?? (apiKey.payg ? 'payg' : 'subscription');
}
