import type { Refusal } from '../../base/errors/refusal.ts';
import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../auth/principal.ts';
import { figuresOf } from './figures-of.ts';
import { writeLimitHeaders } from './limit-headers.ts';
import type { LimitCount, LimitedKey, LimitedRequest, Limiter } from './limiter.ts';

/** `requests`: the number to count in the windows, 1 by default. Together they count once against the concurrency limit. */
export type Taken = { requests?: number | undefined; tokens: number; isConcurrent: boolean };

/** Applies the limiter to exchanges: selects the figures and the network, and writes the headers. */
export class Limits {
  readonly #limiter: Limiter;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  take(exchange: Exchange, principal: Principal, taken: Taken): LimitCount | Refusal {
    return this.#limiter.admit(limited(exchange, principal, taken));
  }

  /** Returns the refusal that `take` would give now. */
  refusalFor(exchange: Exchange, principal: Principal, taken: Taken): Refusal | undefined {
    return this.#limiter.refusalFor(limited(exchange, principal, taken));
  }

  /** Counts a request that calls no model. `count`: a call that loads much data counts as several reads. */
  read(exchange: Exchange, principal: Principal, count = 1): Refusal | undefined {
    return this.#limiter.admitReads(principal.account.id, figuresOf(exchange, principal), count);
  }

  /** Adds the limit headers to the answer. Their values are read when the response head is sent. */
  announce(exchange: Exchange, principal: Principal): void {
    const figures = figuresOf(exchange, principal);
    exchange.beforeHead = () => {
      writeLimitHeaders(
        exchange.headers,
        this.#limiter.stateOf(principal.account.id, figures, limitedKey(principal)),
      );
    };
  }
}

function limited(exchange: Exchange, principal: Principal, taken: Taken): LimitedRequest {
  const { requests = 1, tokens, isConcurrent } = taken;
  const figures = figuresOf(exchange, principal);
  const network = figures.networkRequestsPerMinute === null ? undefined : clientNetwork(exchange);
  const key = limitedKey(principal);
  return { accountId: principal.account.id, figures, key, network, requests, tokens, isConcurrent };
}

const limitedKey = ({ apiKey: { id, limits } }: Principal): LimitedKey | undefined =>
  limits === null ? undefined : { id, limits };
