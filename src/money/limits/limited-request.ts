import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../auth/principal.ts';
import { figuresOf } from './figures-of.ts';
import type { LimitedKey, LimitedRequest } from './limiter.ts';

/** The amounts that a request takes of its limits. It counts once against the concurrency limit. */
export type LimitUse = {
  /** The requests to count in the windows. The default is 1. */
  requests?: number | undefined;
  tokens: number;
  isConcurrent: boolean;
};

/** Returns a request as the gate counts it: with the figures, the key and the network of its exchange. */
export function limitedRequest(exchange: Exchange, principal: Principal, use: LimitUse): LimitedRequest {
  const { requests = 1, tokens, isConcurrent } = use;
  const figures = figuresOf(exchange, principal);
  const network = figures.networkRequestsPerMinute === null ? undefined : clientNetwork(exchange);
  const key = limitedKey(principal);
  return { accountId: principal.account.id, figures, key, network, requests, tokens, isConcurrent };
}

/** Returns the key, if it has limits of its own. */
export const limitedKey = ({ apiKey: { id, limits } }: Principal): LimitedKey | undefined =>
  limits === null ? undefined : { id, limits };
