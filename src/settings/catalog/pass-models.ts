import { isMetered, type ModelKind } from '../../translation/canonical/model-kind.ts';
import { joinRefused } from '../../translation/canonical/refused-word.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Provider, Providers } from '../hosts/providers.ts';
import type { Target } from '../hosts/target.ts';
import type { CatalogEntry, PassModel } from './catalog.ts';
import { undated } from './find-upstream-model.ts';
import type { Pricing } from './model.ts';
import { unlistedEntry } from './unlisted-entry.ts';
import { usableWires } from './usable-wires.ts';

export type PassingParts = {
  providers: Providers;
  /** Wires that the gateway supports. */
  supportedWires: ReadonlySet<Wire>;
  pricing: Pricing;
  /** The models with a row, which keep their prices and plans under any name. */
  entries: readonly CatalogEntry[];
};

/** Clients choose the names, so their number must have a bound. */
const MAX_KEPT = 1_000;

/** A provider and its name for the model, which may have slashes of its own. */
const PASSED_NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})\/([A-Za-z0-9@][A-Za-z0-9._:/@+-]{0,199})$/;

type PassedModel = { name: string; kind: ModelKind; providerId: string; upstreamModel: string };

/**
 * Returns the function that makes entries for `provider/model`, a model without a row. The provider decides
 * whether it has the model.
 */
export function passModels(parts: PassingParts): PassModel {
  const keptEntries = new Map<string, CatalogEntry>();
  return (name, kind) => {
    const key = `${kind} ${name}`;
    const keptEntry = keptEntries.get(key);
    if (keptEntry) return keptEntry;
    const [, providerId, upstreamModel] = PASSED_NAME.exec(name) ?? [];
    if (providerId === undefined || upstreamModel === undefined) return undefined;
    const passed = { name, kind, providerId, upstreamModel };
    const entry = listedEntry(passed, parts.entries) ?? passedEntry(passed, parts);
    if (!entry) return undefined;
    if (keptEntries.size === MAX_KEPT) keptEntries.delete(keptEntries.keys().next().value!);
    keptEntries.set(key, entry);
    return entry;
  };
}

/** Finds the model with a row that has this provider and this name among its targets. */
const listedEntry = (
  { kind, providerId, upstreamModel }: PassedModel,
  entries: readonly CatalogEntry[],
): CatalogEntry | undefined =>
  entries
    .filter(({ model }) => model.kind === kind)
    .find(({ targets }) =>
      targets.some(
        (target) =>
          target.provider.id === providerId && undated(target.upstreamModel) === undated(upstreamModel),
      ),
    );

function passedEntry(passed: PassedModel, { providers, supportedWires, pricing }: PassingParts) {
  const { name, kind, providerId, upstreamModel } = passed;
  const provider = providers.get(providerId);
  if (!provider || !canPass(provider, passed)) return undefined;
  const wires = usableWires(provider.wires, kind).filter((wire) => supportedWires.has(wire));
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
  return { ...unlistedEntry({ name, kind, pricing, counted }), targets: [target] };
}

/**
 * Reports whether a model can pass. The prices of unknown models are those of tokens, so no metered model
 * can. A step upwards in the name would reach other addresses of a provider that has the name in the path.
 */
const canPass = ({ mode }: Provider, { kind, upstreamModel }: PassedModel): boolean =>
  mode !== 'not-set-up' && !isMetered(kind) && !upstreamModel.split('/').includes('..');
