import { callPriceNames, tokenPriceNames } from '../../translation/canonical/price-name.ts';
import { MAX_TOKENS, type Usage } from '../../translation/canonical/usage.ts';
import type { DetailCounts, SeparateTokens } from '../../translation/canonical/usage-detail.ts';
import { type ChargeDetail, costOfCharge } from './charge-detail.ts';
import { ChargeLines } from './charge-lines.ts';
import { type CountedTokens, chargedCount, chargedTokens } from './cost-of-usage.ts';
import { meteredLines } from './metered-rates.ts';
import { type RateInRow, rateIn } from './rate-in.ts';
import type { Rates } from './rates.ts';
import { type ServedWay, servedWays, waysOfOther } from './served-way.ts';
import { tokenParts } from './token-parts.ts';
import type { OtherPrices, UsagePrices } from './usage-prices.ts';

/** A usage with its rates and its cost. */
export type PricedUsage = {
  tokens: CountedTokens;
  rates: Rates;
  /** The name of the row that decided the rates. Undefined if the base rates did. */
  priceRow?: string | undefined;
  detail: ChargeDetail | undefined;
  costMicrocredits: number;
  /** The dimensions that the upstream reported and the catalog does not price. */
  unpriced: readonly string[];
};

/** A usage that is being priced. */
type Pricing = {
  usage: Usage;
  prices: UsagePrices;
  ways: readonly ServedWay[];
  lines: ChargeLines;
};

/** The lifetimes of cache writes that no request asks for. Each vendor has one of them. */
const DEFAULT_LIFETIMES = ['cache_write_5m', 'cache_write_30m'] as const;
/** The part of the input that most models charge at the price of all input. */
const PLAIN_INPUT = 'image_input';

/** Prices a usage with every dimension that the upstream reported. */
export function priceUsage(usage: Usage, prices: UsagePrices): PricedUsage {
  const { ways, unpriced } = servedWays(usage, prices);
  const own = chargedTokens(usage);
  const row = rateIn(prices.rates, ways, ownInput(usage, own));
  const { rates, factors } = row;
  const lines = new ChargeLines(own);
  for (const name of [...(usage.detail?.others ?? []), ...unpriced]) lines.unpriced.add(name);
  const pricing: Pricing = { usage, prices, ways, lines };
  for (const work of usage.detail?.separate ?? []) addAdditionalWork(pricing, work);
  addParts(pricing, own, row);
  addCalls(pricing);
  if (usage.detail?.metered)
    for (const line of meteredLines(usage.detail.metered, prices.metered)) lines.add(line);
  const detail = lines.all.length + factors.length > 0 ? { lines: lines.all, factors } : undefined;
  return {
    tokens: lines.tokens,
    rates,
    detail,
    unpriced: [...lines.unpriced],
    priceRow: row.name,
    costMicrocredits: costOfCharge(lines.tokens, rates, detail),
  };
}

/** Returns the input of the largest answer itself, without that of other models which its total includes. */
function ownInput({ detail, largestInput = MAX_TOKENS }: Usage, { input }: CountedTokens): number {
  const included = (detail?.separate ?? []).filter(({ isIncluded }) => isIncluded);
  const includedTokens = included.reduce((sum, work) => sum + inputOf(work), 0);
  return Math.max(0, Math.min(input - includedTokens, chargedCount(largestInput)));
}

const inputOf = ({ input, cachedInput }: SeparateTokens): number =>
  chargedCount(input) + chargedCount(cachedInput);

const TOTALS = ['input', 'cachedInput', 'output'] as const satisfies readonly (keyof Rates)[];

/** Adds work apart from the answer. The row of its own model for its own input prices it. */
function addAdditionalWork(pricing: Pricing, work: SeparateTokens): void {
  const { prices, ways, lines } = pricing;
  const { kind: dimension, model: name, isIncluded } = work;
  if (dimension === 'other') lines.unpriced.add('iterations');
  const other = name === undefined ? undefined : prices.otherModel(name);
  const rates = other ? ratesOfOther(pricing, other, work) : rateIn(prices.rates, ways, inputOf(work)).rates;
  for (const total of TOTALS) {
    const reported = chargedCount(work[total]);
    const count = isIncluded ? Math.min(reported, lines.remaining(total)) : reported;
    if (!isIncluded) lines.grow(total, count);
    if (count > 0) lines.add({ dimension, model: other?.id ?? null, count, rate: rates[total], of: total });
  }
}

/** The kinds of work that are served in the way of the whole request. Advisors have no way of their own. */
const SERVED_WITH_REQUEST: ReadonlySet<SeparateTokens['kind']> = new Set(['fallback', 'compaction']);

/** Returns the rates of another model, with its own factors. */
function ratesOfOther({ usage, prices, ways }: Pricing, other: OtherPrices, work: SeparateTokens): Rates {
  const { rates } = other;
  const input = inputOf(work);
  if (!SERVED_WITH_REQUEST.has(work.kind)) return rateIn(rates, waysOfOther(ways, rates), input).unmultiplied;
  const own = { asked: prices.asked, rates, extras: { ...prices.extras, ...other.extras } };
  return rateIn(rates, servedWays(usage, own).ways, input).rates;
}

/** Adds the parts of the answer's own totals that have a price of their own. */
function addParts({ usage: { detail }, prices, lines }: Pricing, own: CountedTokens, row: RateInRow): void {
  const unlisted = unlistedWrites(detail?.counts ?? {}, own);
  const defaultLifetime = DEFAULT_LIFETIMES.find((name) => prices.extras.units[name] !== undefined);
  let writesLeft = own.cacheWriteInput;
  for (const name of tokenPriceNames) {
    const { of, isWrite } = tokenParts[name];
    const reported = chargedCount(detail?.counts?.[name] ?? 0);
    const counted = name === defaultLifetime ? reported + unlisted : reported;
    const count = Math.min(counted, lines.remaining(of), isWrite ? writesLeft : counted);
    if (count <= 0) continue;
    if (isWrite) writesLeft -= count;
    const price = prices.extras.units[name];
    // The receipt has a row for cache writes of the shortest lifetime.
    if (price === undefined && (name === DEFAULT_LIFETIMES[0] || name === PLAIN_INPUT)) continue;
    if (price === undefined && !isWrite) lines.unpriced.add(name);
    const unmultiplied = price === undefined ? row.unmultiplied[of] : Math.round(price * row.extraFactor);
    const rate = Math.round(unmultiplied * row.multiplier);
    lines.add({ dimension: name, model: null, count, rate, of });
  }
}

/** Returns the cache writes whose lifetime the upstream does not report. They have the default lifetime. */
function unlistedWrites(counts: DetailCounts, { cacheWriteInput }: CountedTokens): number {
  const listed = tokenPriceNames
    .filter((name) => tokenParts[name].isWrite)
    .reduce((sum, name) => sum + chargedCount(counts[name] ?? 0), 0);
  return Math.max(0, cacheWriteInput - listed);
}

/** Adds the calls of hosted tools. Those that every answer makes are added even if they are not reported. */
function addCalls({ usage: { detail }, prices, lines }: Pricing): void {
  for (const name of callPriceNames) {
    const count = chargedCount(detail?.counts?.[name] ?? prices.certain[name] ?? 0);
    if (count === 0) continue;
    const rate = prices.extras.units[name];
    if (rate === undefined) lines.unpriced.add(name);
    lines.add({ dimension: name, model: null, count, rate: rate ?? 0, of: null });
  }
}
