import { callPrices, type TokenPrice } from '../../translation/canonical/price-name.ts';
import { MAX_TOKENS, type Usage } from '../../translation/canonical/usage.ts';
import type { TokensBeside } from '../../translation/canonical/usage-detail.ts';
import { type ChargeDetail, type ChargeLine, costOfCharge } from './charge-detail.ts';
import { type CountedTokens, chargedCount, chargedTokens } from './cost-of-usage.ts';
import { meteredLines } from './metered-rates.ts';
import type { Rates } from './rates.ts';
import { type RateInRow, rateIn, type ServedWay, servedWays, waysOfOther } from './served-way.ts';
import type { OtherPrices, UsagePrices } from './usage-prices.ts';

export type PricedUsage = {
  tokens: CountedTokens;
  rates: Rates;
  /** The name of the row that decided the rates. It is undefined if the base rates did. */
  priceRow?: string | undefined;
  detail: ChargeDetail | undefined;
  costMicrocredits: number;
  /** The dimensions that the upstream reported and the catalog does not price. */
  unpriced: readonly string[];
};

/**
 * The parts of the token totals that can have a price of their own. The bill without one is the total's rate.
 */
const parts: readonly (readonly [name: TokenPrice, of: 'input' | 'output', isWrite: boolean])[] = [
  ['cache_write_5m', 'input', true],
  ['cache_write_1h', 'input', true],
  ['cache_write_30m', 'input', true],
  ['cache_write_12h', 'input', true],
  ['image_input', 'input', false],
  ['audio_input', 'input', false],
  ['audio_output', 'output', false],
];

/** Prices a usage with every dimension that the upstream reported. */
export function priceUsage(usage: Usage, prices: UsagePrices): PricedUsage {
  const unpriced = new Set<string>(usage.detail?.others);
  const ways = servedWays(usage, prices, unpriced);
  const own = chargedTokens(usage);
  const tokens = { ...own };
  const row = rateIn(prices.rates, ways, ownInput(usage, own));
  const { rates, factors } = row;
  const lines = new Lines(tokens, prices);
  for (const beside of usage.detail?.beside ?? []) {
    if (beside.kind === 'other') unpriced.add('iterations');
    lines.addBeside(beside, ways, usage);
  }
  addParts(usage, { lines, own, row, prices, unpriced });
  addCalls(usage, { lines, prices, unpriced });
  if (usage.detail?.metered)
    for (const line of meteredLines(usage.detail.metered, prices.metered)) lines.add(line);
  const detail = lines.all.length + factors.length > 0 ? { lines: lines.all, factors } : undefined;
  return {
    tokens,
    rates,
    detail,
    unpriced: [...unpriced],
    priceRow: row.name,
    costMicrocredits: costOfCharge(tokens, rates, detail),
  };
}

/** Returns the input of the largest answer itself, without that of other models which its total includes. */
function ownInput({ detail, largestInput = MAX_TOKENS }: Usage, { input }: CountedTokens): number {
  const included = (detail?.beside ?? []).filter(({ isIncluded }) => isIncluded);
  const includedTokens = included.reduce(
    (sum, counts) => sum + chargedCount(counts.input) + chargedCount(counts.cachedInput),
    0,
  );
  return Math.max(0, Math.min(input - includedTokens, chargedCount(largestInput)));
}

/** The kinds of work that are served in the way of the whole request. Advisors have no way of their own. */
const SERVED: ReadonlySet<TokensBeside['kind']> = new Set(['fallback', 'compaction']);

/** The lines of one charge. Tokens apart from the answer's own are added to the totals. */
class Lines {
  readonly all: ChargeLine[] = [];
  readonly #tokens: CountedTokens;
  readonly #prices: UsagePrices;
  /** The tokens of each total that no line has taken out yet. */
  readonly #left: Record<keyof Rates, number>;

  constructor(tokens: CountedTokens, prices: UsagePrices) {
    this.#tokens = tokens;
    this.#prices = prices;
    this.#left = {
      input: tokens.input - tokens.cachedInput,
      cachedInput: tokens.cachedInput,
      output: tokens.output,
    };
  }

  /** Adds work apart from the answer. The row of its own model for its own input prices it. */
  addBeside(beside: TokensBeside, ways: readonly ServedWay[], usage: Usage): void {
    const { kind: dimension, model: name, isIncluded, ...counts } = beside;
    const other = name === undefined ? undefined : this.#prices.otherModel(name);
    const input = chargedCount(counts.input) + chargedCount(counts.cachedInput);
    const rates = other
      ? this.#ratesOf(other, { kind: dimension, ways, usage, input })
      : rateIn(this.#prices.rates, ways, input).rates;
    for (const total of ['input', 'cachedInput', 'output'] as const) {
      const count = Math.min(chargedCount(counts[total]), isIncluded ? this.#left[total] : MAX_TOKENS);
      if (!isIncluded) this.#grow(total, count);
      if (count > 0) this.add({ dimension, model: other?.id ?? null, count, rate: rates[total], of: total });
    }
  }

  /** Returns the rates of another model, with its own factors. */
  #ratesOf(
    { rates, extras }: OtherPrices,
    {
      kind,
      ways,
      usage,
      input,
    }: { kind: TokensBeside['kind']; ways: readonly ServedWay[]; usage: Usage; input: number },
  ): Rates {
    if (!SERVED.has(kind)) return rateIn(rates, waysOfOther(ways, rates), input).unmultiplied;
    const own = { asked: this.#prices.asked, rates, extras: { ...this.#prices.extras, ...extras } };
    return rateIn(rates, servedWays(usage, own, new Set()), input).rates;
  }

  add(line: ChargeLine): void {
    if (line.of !== null) this.#left[line.of] -= line.count;
    const sameIndex = this.all.findIndex(
      ({ dimension, model, rate, of }) =>
        dimension === line.dimension && model === line.model && rate === line.rate && of === line.of,
    );
    const same = this.all[sameIndex];
    if (same) this.all[sameIndex] = { ...line, count: same.count + line.count };
    else this.all.push(line);
  }

  remaining(total: keyof Rates): number {
    return this.#left[total];
  }

  #grow(total: keyof Rates, count: number): void {
    this.#left[total] += count;
    if (total === 'output') this.#tokens.output += count;
    else this.#tokens.input += count;
    if (total === 'cachedInput') this.#tokens.cachedInput += count;
  }
}

const DEFAULT_LIFETIME = 'cache_write_5m';
/** The part of the input that most models charge at the price of all input. */
const PLAIN_INPUT = 'image_input';

type Adding = { lines: Lines; prices: UsagePrices; unpriced: Set<string> };

function addParts(
  { detail }: Usage,
  { lines, own, row, prices, unpriced }: Adding & { own: CountedTokens; row: RateInRow },
): void {
  let writes = own.cacheWriteInput;
  for (const [name, of, isWrite] of parts) {
    const counted = chargedCount(detail?.counts?.[name] ?? 0);
    const count = Math.min(counted, lines.remaining(of), isWrite ? writes : counted);
    if (count <= 0) continue;
    if (isWrite) writes -= count;
    const price = prices.extras.units[name];
    // The receipt has a row for cache writes of the default lifetime.
    if (price === undefined && (name === DEFAULT_LIFETIME || name === PLAIN_INPUT)) continue;
    if (price === undefined && !isWrite) unpriced.add(name);
    const rate = Math.round(
      price === undefined ? row.unmultiplied[of] * row.by : Math.round(price * row.factor) * row.by,
    );
    lines.add({ dimension: name, model: null, count, rate, of });
  }
}

function addCalls({ detail }: Usage, { lines, prices, unpriced }: Adding): void {
  for (const name of callPrices) {
    const count = chargedCount(detail?.counts?.[name] ?? prices.certain[name] ?? 0);
    if (count === 0) continue;
    const rate = prices.extras.units[name];
    if (rate === undefined) unpriced.add(name);
    lines.add({ dimension: name, model: null, count, rate: rate ?? 0, of: null });
  }
}
