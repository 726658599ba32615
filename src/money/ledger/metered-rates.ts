import type { MeteredPrices } from '../../settings/catalog/metered-prices.ts';
import {
  foldForm,
  type ImageForm,
  type MeteredUnit,
  type MeteredUsage,
  meteredUnits,
} from '../../translation/canonical/metered.ts';
import type { ChargeLine } from './charge-detail.ts';
import { rateOf } from './rates.ts';

type ImageRate = { size: string | null; quality: string | null; rate: number };

/** The rates of a model in millionths of a micro-credit per unit. Units without a price are absent. */
export type MeteredRates = Readonly<Partial<Record<Exclude<MeteredUnit, 'image'>, number>>> & {
  /** The first row that matches decides. */
  readonly images: readonly ImageRate[];
};

/** The millionths of a micro-credit in one USD, which is 500 credits. */
const RATE_PER_USD = 500_000_000_000_000;
const THOUSANDS_PER_MILLION = 1_000;

const NO_RATES: MeteredRates = { images: [] };

const unitRate = (usd: number): number => Math.round(usd * RATE_PER_USD);

/** Returns the price in USD per unit. */
export const usdOfUnitRate = (rate: number): number => rate / RATE_PER_USD;

const imageRate = ({ size, quality, usd }: MeteredPrices['perImage'][number]): ImageRate => ({
  size: size && foldForm(size),
  quality: quality && foldForm(quality),
  rate: unitRate(usd),
});

/** Converts prices as listed. */
export function meteredRatesOf(prices: MeteredPrices): MeteredRates {
  const { perImage, perSecond, perMillionCharacters, per1000Documents, perRequest } = prices;
  return {
    images: perImage.map(imageRate),
    ...(perMillionCharacters !== null && { character: rateOf(perMillionCharacters) }),
    // The price of characters replaces that of seconds.
    ...(perSecond !== null && perMillionCharacters === null && { second: unitRate(perSecond) }),
    ...(per1000Documents !== null && { document: rateOf(per1000Documents * THOUSANDS_PER_MILLION) }),
    ...(perRequest > 0 && { request: unitRate(perRequest) }),
  };
}

/** Returns the lines of a charge: one for each quantity, also for one that has no price. */
export function meteredLines(
  { counts, image = {} }: MeteredUsage,
  rates: MeteredRates = NO_RATES,
): ChargeLine[] {
  return meteredUnits.flatMap((unit) => {
    const count = unit === 'request' && rates.request !== undefined ? 1 : (counts[unit] ?? 0);
    const rate = unit === 'image' ? rateOfImage(image, rates) : (rates[unit] ?? 0);
    return count > 0 ? [{ dimension: unit, model: null, count, rate, of: null }] : [];
  });
}

/** A row with a condition does not match an image whose form is unknown. */
const rateOfImage = ({ size, quality }: ImageForm, { images }: MeteredRates): number =>
  images.find((row) => (row.size ?? size) === size && (row.quality ?? quality) === quality)?.rate ?? 0;

/**
 * Returns the rates that the images of a request can have. The model chooses what the request leaves open.
 */
function possibleImageRates({ size, quality }: ImageForm, { images }: MeteredRates): number[] {
  const possible: number[] = [];
  for (const row of images) {
    if (!isPossible(row.size, size) || !isPossible(row.quality, quality)) continue;
    possible.push(row.rate);
    if (isCertain(row.size, size) && isCertain(row.quality, quality)) break;
  }
  return possible;
}

/** Reports whether a condition of a row holds for a choice, which is undefined if the model chooses. */
const isCertain = (condition: string | null, choice: string | undefined): boolean =>
  condition === null || condition === choice;

const isPossible = (condition: string | null, choice: string | undefined): boolean =>
  choice === undefined || isCertain(condition, choice);

const unitsOf = (used: MeteredUsage, rates: MeteredRates): bigint =>
  meteredLines(used, rates).reduce((sum, { count, rate }) => sum + BigInt(count) * BigInt(rate), 0n);

/** Returns the least and the most that the quantities can cost, in millionths of a micro-credit. */
export function meteredRange(usage: MeteredUsage, rates: MeteredRates): { least: bigint; most: bigint } {
  const { image: images = 0, ...otherCounts } = usage.counts;
  const otherUnits = unitsOf({ counts: otherCounts }, rates);
  const possible = images === 0 ? [] : possibleImageRates(usage.image ?? {}, rates);
  const cost = (rate: number): bigint => otherUnits + BigInt(images) * BigInt(rate);
  const [least, most] = possible.length === 0 ? [0, 0] : [Math.min(...possible), Math.max(...possible)];
  return { least: cost(least), most: cost(most) };
}
