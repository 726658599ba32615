import { detailOf } from '../../translation/canonical/combine-details.ts';
import type { FactorPrice } from '../../translation/canonical/price-name.ts';
import type { Usage } from '../../translation/canonical/usage.ts';

/** Adds the tier in the head of an answer to usage that names no tier. */
export function withServedTier(usage: Usage, tier: FactorPrice | undefined): Usage {
  if (tier === undefined || usage.detail?.factors !== undefined) return usage;
  return { ...usage, detail: detailOf({ ...usage.detail, factors: [tier] }) };
}
