import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { advisorsOf, fallbacksOf, findAdvisor } from './advisors.ts';

type Body = Readonly<Record<string, unknown>>;
type Models = Pick<Catalog, 'entries' | 'find' | 'consulted'>;

/** Lists the models that answer if the asked one declines. */
export const fallbackModels = (body: Body, catalog: Models): (CatalogEntry | undefined)[] =>
  fallbacksOf(body).map(({ name }) => findAdvisor(name, catalog));

/** Counts the edits of the conversation that compact it. */
export function compactionsOf({ context_management: management, compaction }: Body): number {
  const edits = Array.isArray(management) ? management : listOf(objectOf(management).edits);
  const compacts = (edit: unknown) => textOf(objectOf(edit).type)?.startsWith('compact') === true;
  return edits.filter(compacts).length + (compaction == null ? 0 : 1);
}

/** Lists the models that a request names beside its own. */
export const consultedModels = (body: Body, catalog: Models): CatalogEntry[] =>
  [...advisorsOf(body).map((name) => findAdvisor(name, catalog)), ...fallbackModels(body, catalog)].filter(
    (entry) => entry !== undefined,
  );
