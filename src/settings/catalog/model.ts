import type { Extra } from '../../translation/canonical/extra.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { PlanId } from '../plans/plan.ts';

export type ModelKind = 'chat' | 'embedding';
export type Capability = 'tools' | 'reasoning' | 'vision' | 'documents';
export type DeliveryMode = 'exact' | 'optimized';

/** USD per million tokens. `cachedInput` null: repeated context earns no discount. */
export type Pricing = { input: number; output: number; cachedInput: number | null };

/** One way to reach a model: a provider and the name that it knows the model by. */
export type ModelRoute = { provider: string; model: string; weight: number; wires: readonly Wire[] | null };

/** A catalog row. */
export type Model = {
  /** Public id: a plain name, or `@brand/name` for open weights. */
  id: string;
  displayName: string;
  description: string;
  ownedBy: string;
  /** Unix seconds. */
  created: number;
  kind: ModelKind;
  /** The cheapest plan that includes it. `payg`: none does. */
  plan: PlanId;
  /** Whether the Launch plan includes it. */
  launch: boolean;
  tier: string;
  delivery: DeliveryMode;
  contextWindow: number;
  maxOutput: number | null;
  capabilities: Readonly<Record<Capability, boolean>>;
  reasoningEfforts: readonly string[];
  supportedParameters: readonly string[];
  pricing: Pricing;
  /** Rates in pay-as-you-go mode; null: the listed ones. */
  paygPricing: Pricing | null;
  /** Rates of what goes through a provider's own batches; null: the listed ones. */
  nativeBatchPricing: Pricing | null;
  outputDimensions: number | null;
  /** What reaches its providers although it costs more than tokens. */
  allowUnpriced: readonly Extra[];
  /** Further spellings beside the derived ones. */
  aliases: readonly string[];
  comparable: readonly string[];
  routes: readonly ModelRoute[];
};
