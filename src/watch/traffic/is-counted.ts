import type { Exchange } from '../../edge/http/exchange.ts';

/** Codes of requests without a valid key. They belong to no account. */
const UNKNOWN_CALLERS: ReadonlySet<string> = new Set([
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'network_rate_limited',
]);
/** The paths of clients. Pages and operators have others. */
const CLIENTS = '/v1';

/**
 * Reports whether a request counts in the sums: it has an account, or the API refused it because it named no
 * account.
 */
export const isCounted = ({
  path,
  notes: { accountId, errorCode },
}: Pick<Exchange, 'path' | 'notes'>): boolean =>
  accountId !== undefined ||
  (errorCode !== undefined && UNKNOWN_CALLERS.has(errorCode) && path.startsWith(CLIENTS));
