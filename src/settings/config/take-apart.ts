/** A value and where it belongs. */
export type PlacedValue = readonly [path: readonly (string | number)[], value: unknown];

/** Of one part, unless a single text in it is longer. It is read in less than a millisecond. */
const MOST_CHARACTERS = 32 * 1024;

/**
 * A value of plain data as parts that are each read in no time: JSON texts of pieces, in the order in which `PutTogether` takes them. A
 * structured clone of the whole would stall the thread that receives it.
 */
export function* takeApart(value: unknown): Generator<string, void> {
  let part: string[] = [];
  let size = 0;
  for (const piece of piecesOf(value, [])) {
    if (size > 0 && size + piece.length > MOST_CHARACTERS) {
      yield `[${part.join()}]`;
      part = [];
      size = 0;
    }
    part.push(piece);
    size += piece.length;
  }
  yield `[${part.join()}]`;
}

/** What is too long for one part comes empty, and its members after it. */
function* piecesOf(value: unknown, path: PlacedValue[0]): Generator<string, void> {
  const text = JSON.stringify(value);
  if (text === undefined) return; // an optional field that is not there
  const isList = Array.isArray(value);
  if (text.length <= MOST_CHARACTERS || typeof value !== 'object' || value === null) {
    yield `[${JSON.stringify(path)},${text}]`;
    return;
  }
  yield `[${JSON.stringify(path)},${isList ? '[]' : '{}'}]`;
  for (const [name, member] of Object.entries(value))
    yield* piecesOf(member, [...path, isList ? Number(name) : name]);
}
