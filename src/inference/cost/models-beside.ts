import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Path } from '../../base/schema/format-path.ts';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { undated } from '../../settings/catalog/find-upstream-model.ts';

type Body = Readonly<Record<string, unknown>>;

/** A model that a request names other than its own, and the member that names it. */
export type ModelBeside = { name: string | undefined; path: Path };

/**
 * Returns the names of the models that tools of a request consult. A name is undefined if its tool names
 * none.
 */
export const advisorsOf = (body: Body): (string | undefined)[] => namedByTools(body).map(({ name }) => name);

export function namedByTools({ tools, messages }: Body): ModelBeside[] {
  const named = listOf(tools).flatMap((tool, index) => namedBy(tool, ['tools', index]));
  // A system turn of the messages protocol can add tools.
  for (const [at, turn] of listOf(messages).entries()) {
    const { role, content } = objectOf(turn);
    if (role !== 'system' || !Array.isArray(content)) continue;
    for (const [index, block] of content.entries()) {
      const { definition } = objectOf(objectOf(block).tool);
      if (isObject(definition))
        named.push(...namedBy(definition, ['messages', at, 'content', index, 'tool', 'definition']));
    }
  }
  return named;
}

function namedBy(tool: unknown, at: Path): ModelBeside[] {
  const { type, model } = objectOf(tool);
  return textOf(type)?.startsWith('advisor') ? [{ name: textOf(model), path: [...at, 'model'] }] : [];
}

/**
 * A model that answers if the requested one declines.
 * `ceiling`: the output ceiling of its own, as it was sent.
 */
export type NamedFallback = ModelBeside & { ceiling: unknown };

/**
 * Returns the models that answer if the requested one declines. A text stands for models that the vendor
 * chooses.
 */
export const fallbacksOf = ({ fallbacks }: Body): NamedFallback[] =>
  typeof fallbacks === 'string'
    ? [{ name: fallbacks, path: ['fallbacks'], ceiling: undefined }]
    : listOf(fallbacks).map((one, index) => ({
        name: textOf(one) ?? textOf(objectOf(one).model),
        path: ['fallbacks', index, 'model'],
        ceiling: objectOf(one).max_tokens,
      }));

/** Lists every model that a request names other than its own. */
export const namedBeside = (body: Body): ModelBeside[] => [...namedByTools(body), ...fallbacksOf(body)];

type Models = Pick<Catalog, 'entries'> & Partial<Pick<Catalog, 'consulted'>>;

/** Finds the catalog's model for such a name, which is the vendor's or a public id. */
export const findAdvisor = (name: string | undefined, catalog: Models): CatalogEntry | undefined =>
  name === undefined ? undefined : (findNamed(name, catalog) ?? catalog.consulted?.(name));

/** An alias does not count, since it may stand for another model. */
function findNamed(name: string, { entries }: Models): CatalogEntry | undefined {
  const routedTo = (isName: (upstreamModel: string) => boolean) =>
    entries.find(({ targets }) => targets.some(({ upstreamModel }) => isName(upstreamModel)));
  const bare = undated(name);
  return (
    routedTo((upstreamModel) => upstreamModel === name) ??
    routedTo((upstreamModel) => undated(upstreamModel) === bare) ??
    entries.find(({ model }) => undated(model.id) === bare)
  );
}
