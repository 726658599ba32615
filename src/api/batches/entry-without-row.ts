import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { extras } from '../../translation/canonical/extra.ts';
import { tokenFamily } from '../../translation/tokens/token-family.ts';

/**
 * Stands for a model whose row is gone, or no longer allows what was sent, while its provider still works on a request. It only serves to
 * read the answer, so it can do everything and costs nothing: rates were fixed when the request was admitted.
 */
export function entryWithoutRow(id: string, target: Target): CatalogEntry {
  const counted = { upstreamModel: target.upstreamModel, isSimulated: false };
  return {
    model: { ...ANY_MODEL, id },
    aliases: [],
    nativeWires: [],
    targets: [target],
    lacks: [],
    counted,
    family: tokenFamily(counted),
  };
}

const FREE = { input: 0, output: 0, cachedInput: null };

const ANY_MODEL: Omit<Model, 'id'> = {
  displayName: '',
  description: '',
  ownedBy: '',
  created: 0,
  kind: 'chat',
  plan: 'free',
  launch: true,
  tier: '',
  delivery: 'exact',
  contextWindow: Number.MAX_SAFE_INTEGER,
  maxOutput: null,
  capabilities: { tools: true, reasoning: true, vision: true, documents: true },
  reasoningEfforts: [],
  supportedParameters: [],
  pricing: FREE,
  paygPricing: null,
  nativeBatchPricing: null,
  outputDimensions: null,
  aliases: [],
  allowUnpriced: extras,
  comparable: [],
  routes: [],
};
