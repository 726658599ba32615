import type { Extra } from '../../translation/canonical/extra.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { PriceName } from '../../translation/canonical/price-name.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { PlanId } from '../plans/plan.ts';
import type { MeteredPrices } from './metered-prices.ts';
import type { PriceCondition, Prices } from './price-condition.ts';
import type { PriceConfirmation } from './price-confirmations.ts';

export type Capability = 'tools' | 'reasoning' | 'vision' | 'documents';
export type DeliveryMode = 'exact' | 'optimized';

/** The base prices of a model, and the rows that can replace them, in the order in which they are tried. */
export type Pricing = Prices & { conditions?: readonly PriceCondition[] };

/** An entry of `routes`: a provider and its name for the model. */
export type ModelRoute = {
  provider: string;
  model: string;
  weight: number;
  /** The wires of the route. `null` means those of the provider. */
  wires: readonly Wire[] | null;
  /** Members and values that this host of the model refuses. */
  refuses: readonly string[];
  /** The prices that the operator pays there. `null` means the model's own prices. */
  cost: Prices | null;
};

/** A catalog row. */
export type Model = {
  /** Public id: a plain name, or `@brand/name` for an open-weight model. */
  id: string;
  displayName: string;
  description: string;
  ownedBy: string;
  /** Unix seconds. */
  created: number;
  /** The date from which the maker advises against the model. Undefined if there is none. */
  deprecatedAt?: string;
  /** The date on which the maker retires the model. Undefined if it is unknown. */
  retiresAt?: string;
  kind: ModelKind;
  /** The cheapest plan that includes the model. `payg`: no plan includes it. */
  plan: PlanId;
  /** True if the Launch plan includes the model. */
  launch: boolean;
  tier: string;
  delivery: DeliveryMode;
  /** The size of the context in tokens. It is 0 for models of metered endpoints. */
  contextWindow: number;
  /** The most output tokens. `null` means that only the context limits them. */
  maxOutput: number | null;
  capabilities: Readonly<Record<Capability, boolean>>;
  reasoningEfforts: readonly string[];
  /** Members and values that every host of the model refuses. */
  refuses: readonly string[];
  /** The place of system texts on the wire `openai-responses`. */
  systemAs: 'instructions' | 'developer';
  supportedParameters: readonly string[];
  pricing: Pricing;
  /** The price rows that need to be confirmed. */
  confirmations: readonly PriceConfirmation[];
  /** Prices in pay-as-you-go mode. `null` means the same as `pricing`. */
  paygPricing: Pricing | null;
  /** Prices of batch items that run through a provider's own batch API. `null` means the usual prices. */
  nativeBatchPricing: Pricing | null;
  /** The length of an embedding. `null` means that it is unknown, or that the model makes none. */
  outputDimensions: number | null;
  /** Prices of usage beyond the token prices: USD per 1,000 calls or per million tokens, and factors. */
  extrasUsd: Readonly<Partial<Record<PriceName, number>>>;
  /** Prices of quantities other than tokens. `null` means that there are none. */
  meteredUsd: MeteredPrices | null;
  /** Members and hosted tools that reach providers although they cost more than tokens. */
  allowUnpriced: readonly Extra[];
  /** Names in addition to the derived ones. */
  aliases: readonly string[];
  /** The models that can answer in place of this one. */
  comparable: readonly string[];
  routes: readonly ModelRoute[];
};
