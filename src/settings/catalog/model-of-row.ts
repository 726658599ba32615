import { keysOf } from '../../base/lib/records.ts';
import type { CatalogModelRow } from '../config/catalog-schema.ts';
import type { PriceConditionRow, PriceRow } from '../config/price-schema.ts';
import { meteredPricesOf } from './metered-prices.ts';
import type { Capability, Model, Pricing } from './model.ts';
import { conditionOf } from './price-condition.ts';
import { confirmationsOf } from './price-confirmations.ts';

type PricingRow = Pick<PriceRow, 'input' | 'output' | 'cached_input' | 'conditions'>;

const always = ['messages', 'system', 'max_tokens', 'stream', 'temperature', 'top_p', 'stop'];
const openAiPreferences = ['frequency_penalty', 'presence_penalty', 'seed'];

/** The request parameters that each capability enables. */
const byCapability: Partial<Record<Capability, readonly string[]>> = {
  tools: ['tools', 'tool_choice', 'parallel_tool_calls', 'forced_tool_choice', 'response_format'],
  reasoning: ['reasoning'],
};

/** The prices of a model that is billed by other quantities alone. */
const NO_TOKENS: PricingRow = { input: 0, output: 0, cached_input: null };

/** Converts the prices of a file. */
export function pricingOf({
  input,
  output,
  cached_input: cachedInput,
  conditions = [],
}: PricingRow): Pricing {
  const base = { input, output, cachedInput };
  return conditions.length === 0
    ? base
    : { ...base, conditions: conditions.map((row) => conditionOf(row, base)) };
}

function supportedParameters(row: CatalogModelRow): readonly string[] {
  if (row.supported_parameters.length > 0) return row.supported_parameters;
  if (row.kind !== 'chat') return [];
  const able = keysOf(byCapability).filter((capability) => row.capabilities[capability]);
  return [...always, ...openAiPreferences, ...able.flatMap((capability) => byCapability[capability] ?? [])];
}

/** Returns the rows with conditions of every payment mode. */
const conditionsOf = (row: CatalogModelRow): readonly PriceConditionRow[] =>
  [row.pricing_usd_per_mtok, row.payg_pricing_usd_per_mtok, row.native_batch_pricing_usd_per_mtok].flatMap(
    (prices) => prices?.conditions ?? [],
  );

/** Converts a row of a catalog file to a model. */
export const modelOfRow = (row: CatalogModelRow, source: { isDefault: boolean }): Model => ({
  id: row.id,
  displayName: row.display_name ?? row.id,
  description: row.description,
  ownedBy: row.owned_by,
  created: row.created,
  ...(row.deprecated_at !== undefined && { deprecatedAt: row.deprecated_at }),
  ...(row.retires_at !== undefined && { retiresAt: row.retires_at }),
  kind: row.kind,
  plan: row.plan,
  launch: row.launch,
  tier: row.tier,
  delivery: row.delivery,
  contextWindow: row.context_window ?? 0,
  maxOutput: row.max_output,
  capabilities: row.capabilities,
  reasoningEfforts: row.reasoning_efforts,
  refuses: row.refuses,
  systemAs: row.system_as,
  supportedParameters: supportedParameters(row),
  pricing: pricingOf(row.pricing_usd_per_mtok ?? NO_TOKENS),
  confirmations: confirmationsOf({ ...row, conditions: conditionsOf(row) }, source),
  paygPricing: row.payg_pricing_usd_per_mtok && pricingOf(row.payg_pricing_usd_per_mtok),
  nativeBatchPricing:
    row.native_batch_pricing_usd_per_mtok && pricingOf(row.native_batch_pricing_usd_per_mtok),
  outputDimensions: row.output_dimensions ?? null,
  extrasUsd: row.extras_usd,
  meteredUsd: row.metered_usd && meteredPricesOf(row.metered_usd),
  allowUnpriced: row.allow_unpriced,
  aliases: row.aliases,
  comparable: row.comparable,
  routes: row.routes.map(({ provider, model, weight, wires, refuses, cost_usd_per_mtok: cost }) => ({
    provider,
    model,
    weight,
    wires: wires ?? null,
    refuses,
    cost: cost ? { input: cost.input, output: cost.output, cachedInput: cost.cached_input } : null,
  })),
});
