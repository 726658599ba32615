import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../auth/principal.ts';
import { figuresOf } from './figures-of.ts';
import type { CheckedVersions } from './gate.ts';
import type { LimitedKey, LimitedRequest } from './limiter.ts';

/**
 * `requests`: the number to count in the windows, 1 by default.
 * Together they count once against the concurrency limit.
 */
export type LimitUse = { requests?: number | undefined; tokens: number; isConcurrent: boolean };

/** Returns a request as the gate counts it: with the figures, the key and the network of its exchange. */
export function limitedRequest(exchange: Exchange, principal: Principal, use: LimitUse): LimitedRequest {
  const { requests = 1, tokens, isConcurrent } = use;
  const figures = figuresOf(exchange, principal);
  const network = figures.networkRequestsPerMinute === null ? undefined : clientNetwork(exchange);
  const key = limitedKey(principal);
  return { accountId: principal.account.id, figures, key, network, requests, tokens, isConcurrent };
}

/** Returns the versions that the gate compares with the current ones. */
export const versionsOf = ({ account, apiKey }: Principal): CheckedVersions => ({
  account: account.version,
  key: apiKey.version,
});

/** Returns the key, if it has limits of its own. */
export const limitedKey = ({ apiKey: { id, limits } }: Principal): LimitedKey | undefined =>
  limits === null ? undefined : { id, limits };
