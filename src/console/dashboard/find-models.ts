import type { Static } from 'typebox';
import type { Viewer } from '../../api/models/model-view.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { planIncludes } from '../../settings/catalog/model-access.ts';
import type { ModelList, modelOrders, modelsQuery } from './model-schema.ts';

type ModelsQuery = Static<typeof modelsQuery>;
type Fits = (entry: CatalogEntry) => boolean;

const isIncluded = (entry: CatalogEntry, { plan, plans }: Viewer): boolean =>
  plan !== null && (plan.id === 'payg' || planIncludes(plan, entry.model, plans));

/** Returns the models that fit, in the wanted order. */
export function findModels(
  entries: readonly CatalogEntry[],
  query: ModelsQuery,
  viewer: Viewer,
): readonly CatalogEntry[] {
  const tests = testsOf(query, viewer);
  const found = entries.filter((entry) => tests.every((fits) => fits(entry)));
  const order = orders[query.sort ?? 'catalog'];
  return order ? found.toSorted(order) : found;
}

function testsOf(query: ModelsQuery, viewer: Viewer): Fits[] {
  const { q, owned_by: vendor, tier, kind, capabilities, included } = query;
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const needed = (capabilities?.split(',') ?? []) as (keyof CatalogEntry['model']['capabilities'])[];
  const tests: (Fits | false)[] = [
    vendor !== undefined && (({ model }) => model.ownedBy === vendor),
    tier !== undefined && (({ model }) => model.tier === tier),
    kind !== undefined && (({ model }) => model.kind === kind),
    needed.length > 0 && (({ model }) => needed.every((name) => model.capabilities[name])),
    included !== undefined && ((entry) => isIncluded(entry, viewer) === (included === 'yes')),
    words.length > 0 && ((entry) => matches(entry, words)),
  ];
  return tests.filter((test) => test !== false);
}

function matches({ model, aliases }: CatalogEntry, words: readonly string[]): boolean {
  const text = `${model.id} ${model.displayName} ${model.ownedBy} ${aliases.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

type Order = (one: CatalogEntry, other: CatalogEntry) => number;

const orders: Record<(typeof modelOrders)[number], Order | undefined> = {
  catalog: undefined,
  name: ({ model: one }, { model: other }) => one.displayName.localeCompare(other.displayName, 'en'),
  newest: ({ model: one }, { model: other }) => other.created - one.created,
  input: ({ model: one }, { model: other }) => one.pricing.input - other.pricing.input,
  output: ({ model: one }, { model: other }) => one.pricing.output - other.pricing.output,
  context: ({ model: one }, { model: other }) => other.contextWindow - one.contextWindow,
};

/** Counts the models of each value, the most frequent first. */
export function countBy(
  entries: readonly CatalogEntry[],
  groupOf: (entry: CatalogEntry) => string,
): ModelList['vendors'] {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(groupOf(entry), (counts.get(groupOf(entry)) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || one.value.localeCompare(other.value, 'en'));
}
