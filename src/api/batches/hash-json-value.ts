import type { JsonObject } from '../../base/json/json-body.ts';

/** A large body is hashed piece by piece, so that nobody waits for all of it. */
const PIECE_CHARACTERS = 256 * 1024;

/** The same for the same JSON value, however it was written: the order of members and the space between tokens do not count. */
export async function hashJsonValue(body: JsonObject): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  let sinceYield = 0;
  for (const piece of piecesOf(body)) {
    hasher.update(piece);
    sinceYield += piece.length;
    if (sinceYield < PIECE_CHARACTERS) continue;
    sinceYield = 0;
    await new Promise(setImmediate);
  }
  return hasher.digest('hex');
}

/** The members of the whole in order, the elements of their lists one by one. */
function* piecesOf(body: JsonObject): Generator<string> {
  for (const name of Object.keys(body).sort()) {
    const value = body[name];
    yield `${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* elementsOf(value);
    else yield sortedJson(value);
    yield ';';
  }
}

function* elementsOf(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (const element of list) yield `${sortedJson(element)},`;
  yield ']';
}

/** JSON text with the members of every object in order. */
function sortedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  const members = value as JsonObject;
  const sorted = Object.keys(members).sort();
  return `{${sorted.map((name) => `${JSON.stringify(name)}:${sortedJson(members[name])}`).join(',')}}`;
}
