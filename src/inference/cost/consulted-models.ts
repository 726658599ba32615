import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { advisorsOf, fallbacksOf, findAdvisor } from './models-beside.ts';

type Body = Readonly<Record<string, unknown>>;
type Models = Pick<Catalog, 'entries' | 'consulted'>;

/**
 * A model that answers if the asked one declines. `entry` is undefined if the catalog has none of this name.
 */
export type FallbackModel = { entry: CatalogEntry | undefined; ceiling: number | undefined };

/** Lists the models that answer if the asked one declines. */
export const fallbackModels = (body: Body, catalog: Models): FallbackModel[] =>
  fallbacksOf(body).map(({ name, ceiling }) => ({
    entry: findAdvisor(name, catalog),
    ceiling: ceilingOf(ceiling),
  }));

/** Returns the ceiling. One that is no number is unknown, and so without a bound. */
function ceilingOf(ceiling: unknown): number | undefined {
  if (ceiling == null) return undefined;
  return typeof ceiling === 'number' ? ceiling : Infinity;
}

/** Counts the edits of the conversation that compact it. */
export function compactionsOf({ context_management: management, compaction }: Body): number {
  const edits = Array.isArray(management) ? management : listOf(objectOf(management).edits);
  const compacts = (edit: unknown) => textOf(objectOf(edit).type)?.startsWith('compact') === true;
  return edits.filter(compacts).length + (compaction == null ? 0 : 1);
}

/** Lists the models that a request names other than its own. */
export const consultedModels = (body: Body, catalog: Models): CatalogEntry[] =>
  [
    ...advisorsOf(body).map((name) => findAdvisor(name, catalog)),
    ...fallbackModels(body, catalog).map(({ entry }) => entry),
  ].filter((entry) => entry !== undefined);
