import { Refusal } from '../../base/errors/refusal.ts';
import { centsOfUsd } from '../../money/ledger/cents.ts';

/** Refuses an amount outside the bounds of a purchase. Purchases have whole cents. */
export function refuseAmount(
  usd: number,
  { min_usd, max_usd }: { min_usd: number; max_usd: number },
): Refusal | undefined {
  if (usd >= min_usd && usd <= max_usd && Math.abs(usd * 100 - centsOfUsd(usd)) < 1e-6) return undefined;
  const message = `usd must be from ${min_usd} to ${max_usd}, in whole cents.`;
  return new Refusal('invalid_request', { message, param: 'usd' });
}
