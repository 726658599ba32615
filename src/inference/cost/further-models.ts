import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Path } from '../../base/schema/format-path.ts';

type RequestBody = Readonly<Record<string, unknown>>;

/** A model that a request names other than its own, and the member that names it. */
export type FurtherModel = { name: string | undefined; path: Path };

/**
 * Returns the names of the models that tools of a request consult. A name is undefined if its tool names no
 * model.
 */
export const advisorsOf = (body: RequestBody): (string | undefined)[] =>
  modelsInTools(body).map(({ name }) => name);

/** Returns the models that tools consult, with the members that name them. */
export function modelsInTools({ tools, messages }: RequestBody): FurtherModel[] {
  const models = listOf(tools).flatMap((tool, index) => namedBy(tool, ['tools', index]));
  // A system turn of the messages protocol can add tools.
  for (const [turnIndex, turn] of listOf(messages).entries()) {
    const { role, content } = objectOf(turn);
    if (role !== 'system') continue;
    for (const [index, block] of listOf(content).entries()) {
      const { definition } = objectOf(objectOf(block).tool);
      if (isObject(definition))
        models.push(...namedBy(definition, ['messages', turnIndex, 'content', index, 'tool', 'definition']));
    }
  }
  return models;
}

function namedBy(tool: unknown, toolPath: Path): FurtherModel[] {
  const { type, model } = objectOf(tool);
  return textOf(type)?.startsWith('advisor') ? [{ name: textOf(model), path: [...toolPath, 'model'] }] : [];
}

/** A model that answers if the requested model declines, with its own output ceiling as it was sent. */
export type NamedFallback = FurtherModel & { ceiling: unknown };

/**
 * Returns the models that answer if the requested model declines. A text stands for models that the vendor
 * chooses.
 */
export const fallbacksOf = ({ fallbacks }: RequestBody): NamedFallback[] =>
  typeof fallbacks === 'string'
    ? [{ name: fallbacks, path: ['fallbacks'], ceiling: undefined }]
    : listOf(fallbacks).map((fallback, index) => ({
        name: textOf(fallback) ?? textOf(objectOf(fallback).model),
        path: ['fallbacks', index, 'model'],
        ceiling: objectOf(fallback).max_tokens,
      }));

/** Lists every model that a request names other than its own. */
export const furtherModels = (body: RequestBody): FurtherModel[] => [
  ...modelsInTools(body),
  ...fallbacksOf(body),
];
