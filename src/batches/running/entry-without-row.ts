import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { extras } from '../../translation/canonical/extra.ts';
import { findTokenFamily } from '../../translation/tokens/find-token-family.ts';

/**
 * Creates a stand-in entry for a model that was removed, or restricted, while a provider works on a request.
 * The stand-in only serves to read the answer. It supports every feature and has no price, since the rates
 * were fixed at admission.
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
    family: findTokenFamily(counted),
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
  refuses: [],
  systemAs: 'instructions',
  supportedParameters: [],
  pricing: FREE,
  confirmations: [],
  paygPricing: null,
  nativeBatchPricing: null,
  outputDimensions: null,
  aliases: [],
  extrasUsd: {},
  meteredUsd: null,
  allowUnpriced: extras,
  comparable: [],
  routes: [],
};
