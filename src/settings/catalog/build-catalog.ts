import type { Steps } from '../../base/lib/in-slices.ts';
import { buildEntry, type EntrySurroundings } from './build-entry.ts';
import { Catalog, type CatalogEntry, type CatalogParts } from './catalog.ts';
import type { CatalogProblem, CatalogSource } from './catalog-source.ts';
import { checkComparable } from './check-comparable.ts';
import { collectBridges } from './collect-bridges.ts';
import { type BuiltModel, collectSpellings } from './collect-spellings.ts';
import type { Pricing } from './model.ts';
import { passModels } from './pass-models.ts';
import { type PlacedModel, placeModels } from './place-models.ts';
import { replacePrices } from './replace-prices.ts';
import { unlistedEntry } from './unlisted-entry.ts';

export type CatalogSurroundings = Omit<EntrySurroundings, 'isAllSimulated'> & {
  /** The prices of models without a row. `null` means that they are refused. */
  unlistedPricing: Pricing | null;
};

/**
 * Merges the sources row by row. If two models have the same id, the later source wins. Returns undefined if
 * a problem was reported. Problems of stored rows do not prevent the catalog.
 */
export function* buildCatalog(
  sources: readonly CatalogSource[],
  surroundings: CatalogSurroundings,
): Steps<Catalog | undefined> {
  const problems: CatalogProblem[] = [];
  const reportingSources = sources.map((source) =>
    source.stored ? source : withProblemList(source, problems),
  );
  const models = yield* buildModels(reportingSources, surroundings);
  const spellings = yield* collectSpellings(models);
  const entriesWithOwnPrices = entriesOf(models, ({ stored }) => stored?.hasPrices === true);
  for (const source of reportingSources) replacePrices(source, spellings, entriesWithOwnPrices);
  for (const model of models) {
    checkComparable(model, spellings);
    yield;
  }
  const bridges = yield* collectBridges(reportingSources, spellings);
  if (problems.length > 0) return undefined;
  const entries = models.map(({ entry }) => entry);
  const parts = { entries, spellings, bridges, ...modelsWithoutRow(entries, surroundings) };
  const hidden = entriesOf(models, ({ stored }) => stored?.isHidden === true);
  return new Catalog(hidden.size === 0 ? parts : withoutHidden(parts, hidden));
}

/** Returns the source with a report that also adds its problems to a list. */
const withProblemList = (source: CatalogSource, problems: CatalogProblem[]): CatalogSource => ({
  ...source,
  report(problem) {
    problems.push(problem);
    source.report(problem);
  },
});

function* buildModels(
  sources: readonly CatalogSource[],
  surroundings: CatalogSurroundings,
): Steps<BuiltModel[]> {
  const isAllSimulated = [...surroundings.providers.values()].every(({ mode }) => mode !== 'live');
  const models: BuiltModel[] = [];
  for (const placed of yield* placeModels(sources)) {
    models.push({ placed, entry: buildEntry(placed, { ...surroundings, isAllSimulated }) });
    yield;
  }
  return models;
}

const entriesOf = (
  models: readonly BuiltModel[],
  isWanted: (placed: PlacedModel) => boolean,
): ReadonlySet<CatalogEntry> =>
  new Set(models.filter(({ placed }) => isWanted(placed)).map(({ entry }) => entry));

function modelsWithoutRow(
  entries: readonly CatalogEntry[],
  { providers, supportedWires, unlistedPricing: pricing }: CatalogSurroundings,
): Pick<CatalogParts, 'pass' | 'unlistedModel'> {
  if (!pricing) return {};
  return {
    pass: passModels({ providers, supportedWires, pricing, entries }),
    unlistedModel(name) {
      const counted = { upstreamModel: name, isSimulated: false };
      return unlistedEntry({ name, kind: 'chat', pricing, counted });
    },
  };
}

/** Returns the parts of a catalog in which no name resolves to the hidden models. */
const withoutHidden = (
  { entries, spellings, bridges, ...parts }: CatalogParts,
  hidden: ReadonlySet<CatalogEntry>,
): CatalogParts => ({
  ...parts,
  entries: entries.filter((entry) => !hidden.has(entry)),
  hidden: [...hidden],
  spellings: new Map([...spellings].filter(([, entry]) => !hidden.has(entry))),
  bridges: new Map([...bridges].filter(([, { entry }]) => !hidden.has(entry))),
});
