import { isoTime } from '../../base/lib/iso-time.ts';
import { definedOf } from '../../base/lib/records.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import type { Model, Pricing } from '../../settings/catalog/model.ts';
import { changesAhead } from '../../settings/catalog/price-changes.ts';
import { holdsAt, type PriceCondition, type Prices } from '../../settings/catalog/price-condition.ts';

/** Pricing with price rows that have conditions. */
type ConditionalPricing = Pricing & Required<Pick<Pricing, 'conditions'>>;

/** Reports whether pricing has price rows with conditions. */
export const hasConditions = (pricing: Pricing): pricing is ConditionalPricing =>
  pricing.conditions !== undefined;

/** Returns the pricing of a payment mode. */
export const pricingFor = ({ pricing, paygPricing }: Model, payg: boolean): Pricing =>
  payg ? (paygPricing ?? pricing) : pricing;

/** Shows the prices of tokens. */
export const tokenPricesView = ({ input, output, cachedInput }: Prices) => ({
  input,
  output,
  cached_input: cachedInput,
});

/** The size of a small request. */
const SMALL_INPUT = 1;

/** Reports whether time alone can make the row that of a small request in the default tier. */
const isForSmall = ({ aboveInput, tier, region }: PriceCondition): boolean =>
  (aboveInput === null || SMALL_INPUT > aboveInput) &&
  (tier === null || tier === 'default') &&
  region === null;

/** Shows the row that decides the prices of a small request at a time. */
function effectiveRow(pricing: ConditionalPricing, at: number) {
  const condition = pricing.conditions.find((candidate) => isForSmall(candidate) && holdsAt(candidate, at));
  return { row: condition?.name ?? BASE_ROW, ...tokenPricesView(condition ?? pricing) };
}

/** Shows the next row that differs, with the time from which it decides. */
function nextRow(pricing: ConditionalPricing, at: number) {
  const now = effectiveRow(pricing, at);
  for (const edge of changesAhead(pricing.conditions.filter(isForSmall), at)) {
    const next = effectiveRow(pricing, edge);
    if (next.row !== now.row) return { at: isoTime(edge), ...next };
  }
  return null;
}

/**
 * Shows the prices of a model that has conditions: those of a small request in the default tier now and next,
 * and all rows.
 */
export const pricesView = (pricing: ConditionalPricing, at: number) => ({
  now: effectiveRow(pricing, at),
  next: nextRow(pricing, at),
  conditions: pricing.conditions.map((condition) => ({
    ...conditionView(condition),
    ...tokenPricesView(condition),
  })),
});

function conditionView({ row, factor }: PriceCondition) {
  const { name, above_input_tokens, hours, from, until, tier, region, source, confirmed_at } = row;
  return {
    name,
    ...definedOf({ above_input_tokens, hours, from, until, tier, region }),
    ...(factor !== 1 && { factor }),
    ...definedOf({ source, confirmed_at }),
  };
}
