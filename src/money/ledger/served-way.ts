import { type FactorPrice, factorPrices, fasterTiers } from '../../translation/canonical/price-name.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import { isCheapTier, type RatesInRows } from './rate-row.ts';
import type { UsagePrices } from './usage-prices.ts';

/** A way in which an answer was served and is billed. */
export type ServedWay = {
  /** The upstream's name of the way, and the name that the request asked for it by. */
  names: readonly [FactorPrice, ...FactorPrice[]];
  /** The factor of the rates. Undefined if only price rows have the way. */
  factor: number | undefined;
  /** False if the account did not ask for the way. It then pays for the way only where it costs no more. */
  isAsked: boolean;
};

/** `unpriced`: the ways that the upstream reported and the account does not pay for. */
export type ServedWays = { ways: readonly ServedWay[]; unpriced: readonly FactorPrice[] };

/** The price of a region. It is no tier. */
export const REGION = 'inference_geo';

const DEFAULT_WAY: ServedWays = { ways: [], unpriced: [] };

const NONE: readonly FactorPrice[] = [];

/**
 * Returns the ways in which an answer was served. A way that the request did not ask for is the operator's
 * own setting at the vendor, and costs the account nothing.
 */
export function servedWays(
  { detail, isEstimated }: Usage,
  prices: Pick<UsagePrices, 'asked' | 'extras' | 'rates'>,
): ServedWays {
  const isUnreported = isEstimated === true && detail?.factors === undefined;
  const asked = factorPrices.filter((name) => prices.asked.includes(name));
  const served = oneFaster(isUnreported ? asked : (detail?.factors ?? NONE), asked);
  if (served.length === 0) return DEFAULT_WAY;
  const ways: ServedWay[] = [];
  const unpriced: FactorPrice[] = [];
  for (const name of served) {
    const way = wayOf(name, { asked, isUnreported }, prices);
    if (way) ways.push(way);
    else if (!isUnreported) unpriced.push(name);
  }
  return { ways, unpriced };
}

const isFaster = (name: FactorPrice): boolean => fasterTiers.includes(name);

/** Keeps one name of the faster tier. An answer that is reported by both names is billed once. */
function oneFaster(served: readonly FactorPrice[], asked: readonly FactorPrice[]): readonly FactorPrice[] {
  const faster = served.filter(isFaster);
  if (faster.length < 2) return served;
  const billed = faster.find((name) => asked.includes(name)) ?? faster[0];
  return served.filter((name) => name === billed || !isFaster(name));
}

/** Returns the ways that apply to work of another model too. */
export const waysOfOther = (ways: readonly ServedWay[], rates: RatesInRows): readonly ServedWay[] =>
  ways.filter(({ isAsked, names }) => isAsked || isCheapTier(rates, names));

/** `asked`: the ways that the request asked for. `isUnreported`: the upstream did not say how it served. */
type FactorQuestion = { asked: readonly FactorPrice[]; isUnreported: boolean };

/** Returns a way with its price, or undefined if it has no price or the account does not pay for it. */
function wayOf(
  name: FactorPrice,
  { asked, isUnreported }: FactorQuestion,
  { extras: { factors }, rates }: Pick<UsagePrices, 'extras' | 'rates'>,
): ServedWay | undefined {
  const askedTier = isFaster(name) ? asked.find(isFaster) : undefined;
  const synonyms = isUnreported ? fasterTiers : [askedTier ?? name];
  const names: ServedWay['names'] = isFaster(name)
    ? [name, ...synonyms.filter((synonym) => synonym !== name)]
    : [name];
  const factor = names.map((each) => factors[each]).find((value) => value !== undefined);
  if (factor === undefined && !hasRow(rates, names)) return undefined;
  const isAsked = asked.includes(name) || askedTier !== undefined;
  const isCheap = !isUnreported && (factor ?? 1) <= 1 && isCheapTier(rates, names);
  return isAsked || isCheap ? { names, factor, isAsked } : undefined;
}

const hasRow = ({ rows = [] }: RatesInRows, names: readonly FactorPrice[]): boolean =>
  rows.some(({ tier, isRegional }) => {
    if (names.includes(REGION)) return isRegional;
    return tier !== null && tier !== 'default' && names.includes(tier);
  });
