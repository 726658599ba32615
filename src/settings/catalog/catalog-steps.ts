import type { Steps } from '../../base/lib/in-slices.ts';
import { buildEntry, type EntrySurroundings } from './build-entry.ts';
import { Catalog, type CatalogEntry, type CatalogParts } from './catalog.ts';
import type { CatalogProblem, CatalogSource } from './catalog-source.ts';
import { checkComparable } from './check-comparable.ts';
import { collectBridges } from './collect-bridges.ts';
import { type BuiltModel, collectSpellings } from './collect-spellings.ts';
import type { Pricing } from './model.ts';
import { passModels } from './pass-models.ts';
import { placeModels } from './place-models.ts';
import { replacePrices } from './replace-prices.ts';
import { unlistedEntry } from './unlisted-entry.ts';

export type CatalogSurroundings = Omit<EntrySurroundings, 'isAllSimulated'> & {
  /** The prices of models without a row. `null` means that they are refused. */
  passedAt: Pricing | null;
};

/**
 * Merges the sources row by row. If two models have the same id, the later source wins.
 * Returns undefined if a problem was reported.
 */
export function* catalogSteps(
  sources: readonly CatalogSource[],
  surroundings: CatalogSurroundings,
): Steps<Catalog | undefined> {
  const problems: CatalogProblem[] = [];
  const watched = sources.map((source) => (source.stored ? source : noting(source, problems)));
  const models = yield* buildModels(watched, surroundings);
  const spellings = yield* collectSpellings(models);
  const keepingTheirs = entriesWhere(models, ({ stored }) => stored?.hasPrices === true);
  for (const source of watched) replacePrices(source, spellings, keepingTheirs);
  for (const model of models) {
    checkComparable(model, spellings);
    yield;
  }
  const bridges = yield* collectBridges(watched, spellings);
  if (problems.length > 0) return undefined;
  const entries = models.map(({ entry }) => entry);
  const parts = { entries, spellings, bridges, ...modelsWithoutRow(entries, surroundings) };
  const hidden = entriesWhere(models, ({ stored }) => stored?.isHidden === true);
  return new Catalog(hidden.size === 0 ? parts : withoutHidden(parts, hidden));
}

/** Returns a source whose problems are noted in a list too. */
const noting = (source: CatalogSource, problems: CatalogProblem[]): CatalogSource => ({
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

const entriesWhere = (
  models: readonly BuiltModel[],
  fits: (placed: BuiltModel['placed']) => boolean,
): ReadonlySet<CatalogEntry> =>
  new Set(models.filter(({ placed }) => fits(placed)).map(({ entry }) => entry));

function modelsWithoutRow(
  entries: readonly CatalogEntry[],
  { providers, spoken, passedAt: pricing }: CatalogSurroundings,
): Pick<CatalogParts, 'pass' | 'consulted'> {
  if (!pricing) return {};
  return {
    pass: passModels({ providers, spoken, pricing, entries }),
    consulted(name) {
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
