import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import { type CountedModel, findTokenFamily } from '../../translation/tokens/find-token-family.ts';
import type { CatalogEntry } from './catalog.ts';
import { lackedNeeds } from './lacked-needs.ts';
import type { Model, Pricing } from './model.ts';

type UnlistedModel = { name: string; kind: ModelKind; pricing: Pricing; counted: CountedModel };

/** The features of a model of which nothing is known: what it lacks, its provider refuses. */
const ANY_MODEL: Omit<Model, 'id' | 'displayName' | 'kind' | 'pricing'> = {
  description: '',
  ownedBy: 'unknown',
  created: 1_700_000_000,
  plan: 'starter',
  launch: false,
  tier: 'workhorse',
  delivery: 'exact',
  contextWindow: 1_000_000,
  maxOutput: 32_000,
  capabilities: { tools: true, reasoning: true, vision: true, documents: true },
  reasoningEfforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  supportedParameters: ['forced_tool_choice', 'response_format', 'dimensions'],
  confirmations: [],
  paygPricing: null,
  nativeBatchPricing: null,
  extrasUsd: {},
  meteredUsd: null,
  outputDimensions: null,
  allowUnpriced: [],
  aliases: [],
  comparable: [],
  routes: [],
  refuses: [],
  systemAs: 'instructions',
};

/** Returns the entry of a model without a row. It has no targets. */
export function unlistedEntry({ name, kind, pricing, counted }: UnlistedModel): CatalogEntry {
  const model: Model = { ...ANY_MODEL, id: name, displayName: name, kind, pricing };
  const lacks = lackedNeeds(model);
  return {
    model,
    aliases: [],
    nativeWires: [],
    targets: [],
    lacks,
    counted,
    family: findTokenFamily(counted),
  };
}
