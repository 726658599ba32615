import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { clientAddress, networkOf } from '../../settings/config/client-network.ts';
import type { Principal } from '../auth/principal.ts';
import { figuresOf } from './figures-of.ts';
import { writeLimitHeaders } from './limit-headers.ts';
import type { LimitedRequest, Limiter, LimitLease } from './limiter.ts';

/** `requests`: how many it counts as in the windows, one unless said. However many they are, they hold one place. */
export type Taken = { requests?: number | undefined; tokens: number; holdsSlot: boolean };

/** Limits as requests meet them: whose figures count, from which network, and what the answer tells of them. */
export class Limits {
  readonly #limiter: Limiter;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  take(exchange: Exchange, principal: Principal, taken: Taken): LimitLease | Refusal {
    return this.#limiter.admit(limited(exchange, principal, taken));
  }

  /** Whether `take` would refuse it now. */
  refusalFor(exchange: Exchange, principal: Principal, taken: Taken): Refusal | undefined {
    return this.#limiter.refusalFor(limited(exchange, principal, taken));
  }

  /** Counts what asks nothing of a model. `count`: a call that has much to load is as many reads. */
  read(exchange: Exchange, principal: Principal, count = 1): Refusal | undefined {
    return this.#limiter.admitReads(principal.account.id, figuresOf(exchange, principal), count);
  }

  /** Every answer to somebody who is known tells what is left, as it is when its head leaves. */
  announce(exchange: Exchange, principal: Principal): void {
    const figures = figuresOf(exchange, principal);
    exchange.beforeHead = () => {
      writeLimitHeaders(exchange.headers, this.#limiter.stateOf(principal.account.id, figures));
    };
  }
}

function limited(exchange: Exchange, principal: Principal, taken: Taken): LimitedRequest {
  const { requests = 1, tokens, holdsSlot } = taken;
  const figures = figuresOf(exchange, principal);
  const network = figures.networkRequestsPerMinute === null ? undefined : clientNetwork(exchange);
  return { accountId: principal.account.id, figures, network, requests, tokens, holdsSlot };
}

function clientNetwork(exchange: Exchange): string {
  const { request, snapshot } = exchange;
  const forwardedFor = request.headers.get('x-forwarded-for');
  return networkOf(clientAddress(exchange.peer(), forwardedFor, snapshot.trustedProxies));
}
