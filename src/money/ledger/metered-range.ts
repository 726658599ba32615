import type { ImageForm, MeteredUsage } from '../../translation/canonical/metered.ts';
import { type ImageRate, type MeteredRates, matchesForm, meteredLines } from './metered-rates.ts';

/** Returns the least and the most that the quantities can cost, in millionths of a micro-credit. */
export function meteredRange(usage: MeteredUsage, rates: MeteredRates): { least: bigint; most: bigint } {
  const { image: images = 0, ...otherCounts } = usage.counts;
  const otherCost = costOf({ counts: otherCounts }, rates);
  const possible = images === 0 ? [] : possibleRates(usage.image ?? {}, rates);
  const costAt = (rate: number): bigint => otherCost + BigInt(images) * BigInt(rate);
  const [least, most] = possible.length === 0 ? [0, 0] : [Math.min(...possible), Math.max(...possible)];
  return { least: costAt(least), most: costAt(most) };
}

const costOf = (usage: MeteredUsage, rates: MeteredRates): bigint =>
  meteredLines(usage, rates).reduce((sum, { count, rate }) => sum + BigInt(count) * BigInt(rate), 0n);

/** Returns the rates that an image of the form can have. The model chooses what the form leaves open. */
function possibleRates(form: ImageForm, { images }: MeteredRates): number[] {
  const possible: number[] = [];
  for (const row of images) {
    if (!canMatch(row, form)) continue;
    possible.push(row.rate);
    if (matchesForm(row, form)) break;
  }
  return possible;
}

/** Reports whether a row matches an image of the form for some choice of the model. */
const canMatch = (row: ImageRate, { size, quality }: ImageForm): boolean =>
  matchesForm(row, { size: size ?? row.size ?? undefined, quality: quality ?? row.quality ?? undefined });
