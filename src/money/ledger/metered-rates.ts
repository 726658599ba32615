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

/** The rate of images of a form. `null` means any size or quality. */
export type ImageRate = { size: string | null; quality: string | null; rate: number };

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

/** Returns the rates of listed prices. */
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

/** Returns the lines of a charge: one per quantity, even without a price. */
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
const rateOfImage = (form: ImageForm, { images }: MeteredRates): number =>
  images.find((row) => matchesForm(row, form))?.rate ?? 0;

/** Reports whether a row matches an image whose size and quality are known to be these. */
export const matchesForm = (row: ImageRate, { size, quality }: ImageForm): boolean =>
  (row.size === null || row.size === size) && (row.quality === null || row.quality === quality);
