import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { DecideExtra } from './decide-extra.ts';
import { pricedBeta } from './priced-betas.ts';

/**
 * The remaining header value, the losses from the removed words, and the extras that pass without being
 * billed.
 */
type ScreenedBetas = { header: string | null; losses: LossCode[]; unbilled: Extra[] };

/** Removes refused betas from a header. Returns undefined if none is refused or unbilled. */
export function screenBetas(value: string, decide: DecideExtra): ScreenedBetas | undefined {
  const words: string[] = [];
  const losses: LossCode[] = [];
  const unbilled: Extra[] = [];
  for (const word of value.split(',').map((beta) => beta.trim())) {
    const priced = pricedBeta(word);
    const decision = priced && decide(priced);
    if (decision !== 'refused') words.push(word);
    if (priced && decision === 'refused') losses.push(priced.loss);
    if (priced && decision === 'unbilled') unbilled.push(priced.extra);
  }
  if (losses.length + unbilled.length === 0) return undefined;
  return { header: words.join(', ') || null, losses, unbilled };
}
