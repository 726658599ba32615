export type PlacedValue = readonly [path: readonly (string | number)[], value: unknown];

/** The size limit of a part, unless a single text is longer. Parsing a part takes less than a millisecond. */
const MAX_CHARACTERS = 32 * 1024;

/**
 * Splits plain data into small JSON texts, in the order that `Reassembly` expects. A structured clone of the
 * whole value would block the receiving thread.
 */
export function* takeApart(value: unknown): Generator<string, void> {
  let part: string[] = [];
  let size = 0;
  for (const piece of piecesOf(value, [])) {
    if (size > 0 && size + piece.length > MAX_CHARACTERS) {
      yield `[${part.join()}]`;
      part = [];
      size = 0;
    }
    part.push(piece);
    size += piece.length;
  }
  yield `[${part.join()}]`;
}

/**
 * Yields the pieces of a value. A container that exceeds one part is yielded empty, followed by its members.
 */
function* piecesOf(value: unknown, path: PlacedValue[0]): Generator<string, void> {
  const text = JSON.stringify(value);
  if (text === undefined) return; // an absent optional field
  const isList = Array.isArray(value);
  if (text.length <= MAX_CHARACTERS || typeof value !== 'object' || value === null) {
    yield `[${JSON.stringify(path)},${text}]`;
    return;
  }
  yield `[${JSON.stringify(path)},${isList ? '[]' : '{}'}]`;
  for (const [name, member] of Object.entries(value))
    yield* piecesOf(member, [...path, isList ? Number(name) : name]);
}
