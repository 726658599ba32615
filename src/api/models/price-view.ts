import { isoTime } from '../../base/lib/iso-time.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import type { Pricing } from '../../settings/catalog/model.ts';
import {
  changesAhead,
  holdsAt,
  type PriceCondition,
  type Prices,
} from '../../settings/catalog/price-condition.ts';

const threeOf = ({ input, output, cachedInput }: Prices) => ({ input, output, cached_input: cachedInput });

/** The size of a small request. */
const SMALL_INPUT = 1;

/** Reports whether time alone can make the row that of a small request in the default tier. */
const isForSmall = ({ aboveInput, tier, region }: PriceCondition): boolean =>
  (aboveInput === null || SMALL_INPUT > aboveInput) &&
  (tier === null || tier === 'default') &&
  region === null;

function effectiveRow(pricing: Pricing, at: number) {
  const found = pricing.conditions?.find((condition) => isForSmall(condition) && holdsAt(condition, at));
  return { row: found?.name ?? BASE_ROW, ...threeOf(found ?? pricing) };
}

function nextRow(pricing: Pricing, at: number) {
  const conditions = pricing.conditions!.filter(isForSmall);
  const now = effectiveRow(pricing, at);
  for (const edge of changesAhead(conditions, at)) {
    const next = effectiveRow(pricing, edge);
    if (next.row !== now.row) return { at: isoTime(edge), ...next };
  }
  return null;
}

/**
 * Shows the prices of a model that has conditions: those of a small request in the default tier now and next,
 * and all rows.
 */
export const pricesView = (pricing: Pricing, at: number) => ({
  now: effectiveRow(pricing, at),
  next: nextRow(pricing, at),
  conditions: pricing.conditions!.map((condition) => ({
    ...conditionView(condition),
    ...threeOf(condition),
  })),
});

function conditionView({ row, factor }: PriceCondition) {
  const { name, above_input_tokens, hours, from, until, tier, region, source, confirmed_at } = row;
  return {
    name,
    ...(above_input_tokens !== undefined && { above_input_tokens }),
    ...(hours !== undefined && { hours }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(tier !== undefined && { tier }),
    ...(region !== undefined && { region }),
    ...(factor !== 1 && { factor }),
    ...(source !== undefined && { source }),
    ...(confirmed_at !== undefined && { confirmed_at }),
  };
}
