import { type FactorPrice, factorPriceNames, fasterTiers } from '../../translation/canonical/price-name.ts';
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

/** The ways of an answer. */
export type ServedWays = {
  ways: readonly ServedWay[];
  /** The ways that the upstream reported and the account does not pay for. */
  unpriced: readonly FactorPrice[];
};

/** The prices that decide how the ways of an answer are billed. */
export type WayPrices = Pick<UsagePrices, 'asked' | 'extras' | 'rates'>;

/** The ways that a request asked for. */
type Question = {
  asked: readonly FactorPrice[];
  /** True if the upstream did not say how it served. */
  isUnreported: boolean;
};

/** The price of a region, which is not a tier. */
export const REGION = 'inference_geo';

const DEFAULT_WAY: ServedWays = { ways: [], unpriced: [] };

/**
 * Returns the ways in which an answer was served. A way that the request did not ask for is the operator's
 * own setting at the vendor. It can lower the charge and never raises it.
 */
export function servedWays({ detail, isEstimated }: Usage, prices: WayPrices): ServedWays {
  const isUnreported = isEstimated === true && detail?.factors === undefined;
  const asked = factorPriceNames.filter((name) => prices.asked.includes(name));
  const served = oneFaster(isUnreported ? asked : (detail?.factors ?? []), asked);
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

/** Returns the ways that apply to work of another model too. */
export const waysOfOther = (ways: readonly ServedWay[], rates: RatesInRows): readonly ServedWay[] =>
  ways.filter(({ isAsked, names }) => isAsked || isCheapTier(rates, names));

const isFaster = (name: FactorPrice): boolean => fasterTiers.includes(name);

/** Keeps one name of the faster tier. An answer that is reported by both names is billed once. */
function oneFaster(served: readonly FactorPrice[], asked: readonly FactorPrice[]): readonly FactorPrice[] {
  const faster = served.filter(isFaster);
  if (faster.length < 2) return served;
  const billed = faster.find((name) => asked.includes(name)) ?? faster[0];
  return served.filter((name) => name === billed || !isFaster(name));
}

/** Returns a way with its price, or undefined if it has no price or the account does not pay for it. */
function wayOf(name: FactorPrice, question: Question, prices: WayPrices): ServedWay | undefined {
  const { rates } = prices;
  const names = namesOf(name, question);
  const factor = names.map((each) => prices.extras.factors[each]).find((value) => value !== undefined);
  if (factor === undefined && !hasRow(rates, names)) return undefined;
  const { asked, isUnreported } = question;
  const isAsked = asked.includes(name) || (isFaster(name) && asked.some(isFaster));
  const isCheap = !isUnreported && (factor ?? 1) <= 1 && isCheapTier(rates, names);
  return isAsked || isCheap ? { names, factor, isAsked } : undefined;
}

/** Returns the names under which a way can have a price. Vendors have several for the faster tier. */
function namesOf(name: FactorPrice, { asked, isUnreported }: Question): ServedWay['names'] {
  if (!isFaster(name)) return [name];
  const synonyms = isUnreported ? fasterTiers : asked.filter(isFaster).slice(0, 1);
  return [name, ...synonyms.filter((synonym) => synonym !== name)];
}

const hasRow = ({ rows = [] }: RatesInRows, names: readonly FactorPrice[]): boolean =>
  rows.some(({ tier, isRegional }) => {
    if (names.includes(REGION)) return isRegional;
    return tier !== null && tier !== 'default' && names.includes(tier);
  });
