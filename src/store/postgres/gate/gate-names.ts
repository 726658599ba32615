import type { HoldOrder } from '../../../money/ledger/hold.ts';
import { monthOf } from '../../../money/ledger/month-of.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';

/** A balance of an account: a period, or the purchased credit. */
export type BalanceId = { accountId: string; period: string };

export const accountScope = (id: string): string => `a:${id}`;
export const keyScope = (id: string): string => `k:${id}`;
export const networkScope = (network: string): string => `n:${network}`;

/** Lists the scopes in which a request counts. */
export function scopesOf({ accountId, key, network }: LimitedRequest): string[] {
  const scopes = [accountScope(accountId)];
  if (key) scopes.push(keyScope(key.id));
  if (network !== undefined) scopes.push(networkScope(network));
  return scopes;
}

/** Names a balance: the id of its account, a space and the period. */
export const balanceName = ({ accountId, period }: BalanceId): string => `${accountId} ${period}`;

/** Names the balance that pays for a request. */
export const payingBalance = ({ accountId, pays, period }: HoldOrder): string =>
  balanceName({ accountId, period: pays === 'purchased' ? PURCHASED : period.id });

/** Names the calendar month of a request's key: the id of the key, a space and the month. */
export const keyMonthName = ({ keyId, at }: HoldOrder): string => `${keyId} ${monthOf(at)}`;

/** Returns the id in the name of a balance or of a key's month. Ids contain no space. */
export const idInName = (name: string): string => name.slice(0, name.indexOf(' '));

/** Returns the period in the name of a balance, or the month in the name of a key's month. */
export const periodInName = (name: string): string => name.slice(name.indexOf(' ') + 1);
