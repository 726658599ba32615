import type { Static } from 'typebox';
import { planCovers } from '../../api/models/plan-covers.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { modelCapabilities, type modelOrders, type modelsQuery } from './model-schema.ts';
import type { OrganizationViewer } from './organization-viewer.ts';

type ModelsQuery = Static<typeof modelsQuery>;
type Test = (entry: CatalogEntry) => boolean;

/** Returns the models that the filters of a query select, in the wanted order. */
export function findModels(
  entries: readonly CatalogEntry[],
  query: ModelsQuery,
  viewer: OrganizationViewer,
): readonly CatalogEntry[] {
  const tests = testsOf(query, viewer);
  const selected = entries.filter((entry) => tests.every((passes) => passes(entry)));
  const order = orders[query.sort ?? 'catalog'];
  return order ? selected.sort(order) : selected;
}

/** Returns a test for each filter of a query. */
function testsOf(query: ModelsQuery, { plan, plans }: OrganizationViewer): Test[] {
  const { q, owned_by: vendor, tier, kind, capabilities, included } = query;
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const names = capabilities?.split(',') ?? [];
  const needed = modelCapabilities.filter((capability) => names.includes(capability));
  const tests: (Test | false)[] = [
    vendor !== undefined && (({ model }) => model.ownedBy === vendor),
    tier !== undefined && (({ model }) => model.tier === tier),
    kind !== undefined && (({ model }) => model.kind === kind),
    needed.length > 0 && (({ model }) => needed.every((capability) => model.capabilities[capability])),
    included !== undefined && (({ model }) => planCovers(plan, model, plans) === (included === 'yes')),
    words.length > 0 && ((entry) => matches(entry, words)),
  ];
  return tests.filter((test) => test !== false);
}

function matches({ model, aliases }: CatalogEntry, words: readonly string[]): boolean {
  const text = `${model.id} ${model.displayName} ${model.ownedBy} ${aliases.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

type Order = (one: CatalogEntry, other: CatalogEntry) => number;

/** The orders of the list. The catalog has its order already. */
const orders: Readonly<Record<(typeof modelOrders)[number], Order | undefined>> = {
  catalog: undefined,
  name: ({ model: one }, { model: other }) => one.displayName.localeCompare(other.displayName, 'en'),
  newest: ({ model: one }, { model: other }) => other.created - one.created,
  input: ({ model: one }, { model: other }) => one.pricing.input - other.pricing.input,
  output: ({ model: one }, { model: other }) => one.pricing.output - other.pricing.output,
  context: ({ model: one }, { model: other }) => other.contextWindow - one.contextWindow,
};
