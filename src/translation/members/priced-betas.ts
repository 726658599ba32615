import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { PriceName } from '../canonical/price-name.ts';

export const BETA_HEADER = 'anthropic-beta';

type PricedBeta = { prefix: string; extra: Extra; loss: LossCode; price: PriceName | undefined };

/** Betas with higher token prices: https://platform.claude.com/docs/en/about-claude/pricing. */
const pricedBetas: readonly PricedBeta[] = [
  { prefix: 'context-1m', extra: 'context-1m', loss: 'long-context', price: undefined },
  { prefix: 'fast-mode', extra: 'speed', loss: 'speed', price: 'fast' },
];

/** Returns the price entry of a beta, if it has one. */
export const pricedBeta = (word: string): PricedBeta | undefined =>
  pricedBetas.find(({ prefix }) => word.toLowerCase().startsWith(prefix));

/**
 * The remaining header value, the losses from the removed words, and the extras
 * that pass without being billed.
 */
export type JudgedBetas = { header: string | null; losses: LossCode[]; unbilled: Extra[] };

/** Decides about one extra: it is billed, it passes without being billed, or it does not pass. */
export type Judge = (asked: Pick<PricedBeta, 'extra' | 'price'>) => 'billed' | 'unbilled' | 'refused';

/** Judges a beta header. Returns undefined if the value names no priced beta. */
export function judgeBetas(value: string, judge: Judge): JudgedBetas | undefined {
  const judged: JudgedBetas = { header: null, losses: [], unbilled: [] };
  const names: string[] = [];
  for (const word of value.split(',').map((beta) => beta.trim())) {
    const priced = pricedBeta(word);
    const fate = priced && judge(priced);
    if (fate !== 'refused') names.push(word);
    if (priced && fate === 'refused') judged.losses.push(priced.loss);
    if (priced && fate === 'unbilled') judged.unbilled.push(priced.extra);
  }
  if (judged.losses.length + judged.unbilled.length === 0) return undefined;
  return { ...judged, header: names.join(', ') || null };
}
