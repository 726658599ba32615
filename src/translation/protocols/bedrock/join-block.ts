import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** Joins the pieces of a block without a canonical form, so that a later request can return it. */
const joins: Record<string, (start: unknown, pieces: unknown[]) => unknown> = {
  toolUse: (start, pieces) => ({ ...objectOf(start), input: inputOf(pieces) }),
  toolResult: (start, pieces) => {
    const content = pieces.flatMap(listOf);
    return content.length > 0 ? { ...objectOf(start), content } : start;
  },
};

export function joinBlock(start: Fields, deltas: readonly Fields[]): Fields {
  const name = Object.keys(start)[0] ?? Object.keys(deltas[0] ?? {})[0] ?? 'unknown';
  const pieces = deltas.map((delta) => lookUp(delta, name)).filter((piece) => piece !== undefined);
  if (pieces.length === 0) return start;
  const join =
    lookUp(joins, name) ?? ((from: unknown) => Object.assign({}, objectOf(from), ...pieces.filter(isObject)));
  return { [name]: join(lookUp(start, name), pieces) };
}

function inputOf(pieces: unknown[]): unknown {
  const text = pieces.map((piece) => textOf(objectOf(piece).input) ?? '').join('');
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}
