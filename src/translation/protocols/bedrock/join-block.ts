import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** Joins the pieces of a member whose form is known. */
const joins: Readonly<Record<string, (start: unknown, pieces: readonly unknown[]) => unknown>> = {
  toolUse: (start, pieces) => ({ ...objectOf(start), input: inputOf(pieces) }),
  toolResult: (start, pieces) => {
    const content = pieces.flatMap(listOf);
    return content.length > 0 ? { ...objectOf(start), content } : start;
  },
};

/**
 * Joins the start and the deltas of a block without a canonical form, so that a later request can return it.
 * Pieces of an unknown form are objects, whose members are merged.
 */
export function joinBlock(start: Fields, deltas: readonly Fields[]): Fields {
  const name = Object.keys(start)[0] ?? Object.keys(deltas[0] ?? {})[0] ?? 'unknown';
  const pieces = deltas.map((delta) => lookUp(delta, name)).filter((piece) => piece !== undefined);
  if (pieces.length === 0) return start;
  const join = lookUp(joins, name) ?? mergeMembers;
  return { [name]: join(lookUp(start, name), pieces) };
}

const mergeMembers = (start: unknown, pieces: readonly unknown[]): unknown =>
  Object.assign({}, objectOf(start), ...pieces.filter(isObject));

/** Parses the input of a call. An input that is not JSON, for example because it was cut, becomes empty. */
function inputOf(pieces: readonly unknown[]): unknown {
  const text = pieces.map((piece) => textOf(objectOf(piece).input) ?? '').join('');
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}
