import type { LossCode } from '../canonical/loss.ts';
import type { PricedExtra } from './decide-extra.ts';

/** The header with the list of previews that a client asks for. */
export const BETA_HEADER = 'anthropic-beta';

type PricedBeta = PricedExtra & { prefix: string; loss: LossCode };

/** Betas with higher token prices: https://platform.claude.com/docs/en/about-claude/pricing. */
const pricedBetas: readonly PricedBeta[] = [
  { prefix: 'context-1m', extra: 'context-1m', loss: 'long-context', price: undefined },
  { prefix: 'fast-mode', extra: 'speed', loss: 'speed', price: 'fast' },
];

/** Returns the price entry of a beta, if it has one. */
export const pricedBeta = (word: string): PricedBeta | undefined =>
  pricedBetas.find(({ prefix }) => word.toLowerCase().startsWith(prefix));
