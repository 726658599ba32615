import { Refusal } from '../../base/errors/refusal.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

/** Reads the parameter `limit` of a list of models. */
export function readLimit(text: string | null): number | Refusal {
  if (text === null) return DEFAULT_LIMIT;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  return new Refusal('invalid_request', {
    param: 'limit',
    message: `limit must be a whole number from 1 to ${MAX_LIMIT}.`,
  });
}
