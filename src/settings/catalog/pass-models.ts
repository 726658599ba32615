import { isMetered, type ModelKind } from '../../translation/canonical/model-kind.ts';
import { joinRefused } from '../../translation/canonical/refused-word.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { type CountedModel, tokenFamily } from '../../translation/tokens/token-family.ts';
import type { Providers } from '../hosts/providers.ts';
import type { Target } from '../hosts/target.ts';
import type { CatalogEntry, PassModel } from './catalog.ts';
import { undated } from './find-upstream-model.ts';
import { lackedNeeds } from './lacked-needs.ts';
import type { Model, Pricing } from './model.ts';
import { usableWires } from './usable-wires.ts';

export type PassingParts = {
  providers: Providers;
  /** Wires that the gateway supports. */
  spoken: ReadonlySet<Wire>;
  pricing: Pricing;
  /** The models with a row, which keep their prices and plans under any name. */
  entries: readonly CatalogEntry[];
};

/** Clients choose the names, so their number must have a bound. */
const MAX_KEPT = 1_000;

/** A provider and its name for the model, which may have slashes of its own. */
const PASSED = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})\/([A-Za-z0-9@][A-Za-z0-9._:/@+-]{0,199})$/;

/**
 * Returns the function that makes entries for `provider/model`, a model without a row.
 * The provider decides whether it has the model.
 */
export function passModels(parts: PassingParts): PassModel {
  const entries = new Map<string, CatalogEntry>();
  return (name, kind) => {
    const key = `${kind} ${name}`;
    const existingEntry = entries.get(key);
    if (existingEntry) return existingEntry;
    const entry = rowOf(name, kind, parts) ?? entryOf(name, kind, parts);
    if (!entry) return undefined;
    if (entries.size === MAX_KEPT) entries.delete(entries.keys().next().value!);
    entries.set(key, entry);
    return entry;
  };
}

/** Finds the row that has this provider and this name of its model among its routes. */
function rowOf(name: string, kind: ModelKind, { entries }: PassingParts): CatalogEntry | undefined {
  const [, providerId = '', upstreamModel = ''] = PASSED.exec(name) ?? [];
  return entries.find(
    (entry) =>
      entry.model.kind === kind &&
      entry.targets.some(
        (target) =>
          target.provider.id === providerId && undated(target.upstreamModel) === undated(upstreamModel),
      ),
  );
}

function entryOf(name: string, kind: ModelKind, { providers, spoken, pricing }: PassingParts) {
  const [, providerId = '', upstreamModel = ''] = PASSED.exec(name) ?? [];
  const provider = providers.get(providerId);
  // A step upwards would reach other addresses of a provider that has the name in the path.
  if (!provider || provider.mode === 'not-set-up' || upstreamModel.split('/').includes('..'))
    return undefined;
  // The prices of unknown models are those of tokens.
  if (isMetered(kind)) return undefined;
  const wires = usableWires(provider.wires, kind).filter((wire) => spoken.has(wire));
  if (wires.length === 0) return undefined;
  const counted = { upstreamModel, isSimulated: provider.mode === 'simulated' };
  const refuses = joinRefused([provider.refuses]);
  const target: Target = {
    provider,
    upstreamModel,
    weight: 1,
    wires,
    isPassed: true,
    ...(refuses && { refuses }),
  };
  return { ...entryWithoutRow({ name, kind, pricing, counted }), targets: [target] };
}

type WithoutRow = { name: string; kind: ModelKind; pricing: Pricing; counted: CountedModel };

function entryWithoutRow({ name, kind, pricing, counted }: WithoutRow): CatalogEntry {
  const model: Model = { ...ANY_MODEL, id: name, displayName: name, kind, pricing };
  const lacks = lackedNeeds(model);
  return { model, aliases: [], nativeWires: [], targets: [], lacks, counted, family: tokenFamily(counted) };
}

/**
 * Returns the function that makes entries for models that a request names
 * other than its own and that have no row.
 */
export const consultModels =
  (pricing: Pricing) =>
  (name: string): CatalogEntry =>
    entryWithoutRow({ name, kind: 'chat', pricing, counted: { upstreamModel: name, isSimulated: false } });

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
