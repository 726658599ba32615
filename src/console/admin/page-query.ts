import { Refusal } from '../../base/errors/refusal.ts';
import type { PageRequest } from '../../money/accounts/account-store.ts';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 1_000;

/** Reads `?limit&after` of a list. */
export function pageQuery(query: string): PageRequest | Refusal {
  const parameters = new URLSearchParams(query);
  const limit = parameters.get('limit') ?? String(DEFAULT_LIMIT);
  const after = parameters.get('after');
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > LARGEST_LIMIT) {
    const message = `limit must be an integer from 1 to ${LARGEST_LIMIT}.`;
    return new Refusal('invalid_request', { message, param: 'limit' });
  }
  if (after === '')
    return new Refusal('invalid_request', { message: 'after must not be empty.', param: 'after' });
  return { limit: Number(limit), after: after ?? undefined };
}

export const unknownAfter = (item: string): Refusal =>
  new Refusal('invalid_request', { message: `after is not the id of ${item}.`, param: 'after' });
