import { invalidParam } from '../../base/errors/invalid-param.ts';
import type { Refusal } from '../../base/errors/refusal.ts';

const DEFAULT_LIMIT = 20;

/** Reads the parameter `limit` of a list, of which a page has `max` rows at most. */
export function readLimit(text: string | null, max: number): number | Refusal {
  if (text === null) return DEFAULT_LIMIT;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= max) return limit;
  return invalidParam('limit', `must be a whole number from 1 to ${max}.`);
}
