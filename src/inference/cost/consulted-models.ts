import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { type ConsultedCatalog, findFurtherModel } from './find-further-model.ts';
import { advisorsOf, fallbacksOf } from './further-models.ts';

type RequestBody = Readonly<Record<string, unknown>>;

/**
 * A model that answers if the requested model declines. `entry` is undefined if the catalog lacks the name.
 * `ceiling` is its own limit of output tokens.
 */
export type FallbackModel = { entry: CatalogEntry | undefined; ceiling: number | undefined };

/** Lists the models that answer if the requested model declines. */
export const fallbackModels = (body: RequestBody, catalog: ConsultedCatalog): FallbackModel[] =>
  fallbacksOf(body).map(({ name, ceiling }) => ({
    entry: findFurtherModel(name, catalog),
    ceiling: ceilingOf(ceiling),
  }));

/** Returns the ceiling. A value that is not a number may stand for any ceiling, so it bounds nothing. */
function ceilingOf(ceiling: unknown): number | undefined {
  if (ceiling == null) return undefined;
  return typeof ceiling === 'number' ? ceiling : Infinity;
}

/** Lists the models that a request names other than its own. */
export const consultedModels = (body: RequestBody, catalog: ConsultedCatalog): CatalogEntry[] =>
  [
    ...advisorsOf(body).map((name) => findFurtherModel(name, catalog)),
    ...fallbackModels(body, catalog).map(({ entry }) => entry),
  ].filter((entry) => entry !== undefined);
