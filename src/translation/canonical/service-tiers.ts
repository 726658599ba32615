import { lookUp } from '../../base/lib/records.ts';
import type { FactorPrice } from './price-name.ts';

/** The vendors' names of the default service tier. */
export const ORDINARY_TIERS: ReadonlySet<unknown> = new Set([
  'auto',
  'default',
  'on_demand',
  'standard',
  'standard_only',
]);

/** The tiers that have a price, under OpenAI's names. */
const tiers = {
  fast: 'fast',
  ultrafast: 'ultrafast',
  priority: 'priority',
  flex: 'flex',
} satisfies Partial<Record<FactorPrice, FactorPrice>>;

/** Returns the factor of a tier, in a request and in an answer. */
export const tierPrice = (tier: unknown): FactorPrice | undefined =>
  typeof tier === 'string' ? lookUp<FactorPrice>(tiers, tier) : undefined;
