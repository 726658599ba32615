import type { Extra } from '../../canonical/extra.ts';
import type { LossCode } from '../../canonical/loss.ts';

export const BETA_HEADER = 'anthropic-beta';

type PricedBeta = { prefix: string; extra: Extra; loss: LossCode };

/** Previews under which the vendor's tokens cost more: https://platform.claude.com/docs/en/about-claude/pricing. */
const pricedBetas: readonly PricedBeta[] = [
  { prefix: 'context-1m', extra: 'context-1m', loss: 'long-context' },
  { prefix: 'fast-mode', extra: 'speed', loss: 'speed' },
];

/** The price of a preview, if it has one of its own. */
export const pricedBeta = (word: string): PricedBeta | undefined =>
  pricedBetas.find(({ prefix }) => word.toLowerCase().startsWith(prefix));

/** What is left of the header's value, what is lost with the rest, and what is let through. */
export type JudgedBetas = { kept: string | null; losses: LossCode[]; unbilled: Extra[] };

/** Undefined where the value names none of them. */
export function judgeBetas(value: string, allows: (extra: Extra) => boolean): JudgedBetas | undefined {
  const judged: JudgedBetas = { kept: null, losses: [], unbilled: [] };
  const kept: string[] = [];
  for (const word of value.split(',').map((one) => one.trim())) {
    const priced = pricedBeta(word);
    if (!priced || allows(priced.extra)) kept.push(word);
    else judged.losses.push(priced.loss);
    if (priced && allows(priced.extra)) judged.unbilled.push(priced.extra);
  }
  if (judged.losses.length + judged.unbilled.length === 0) return undefined;
  return { ...judged, kept: kept.join(', ') || null };
}
