import { isObject } from '../lib/is-object.ts';
import { nextTurn } from '../lib/next-turn.ts';
import type { JsonObject } from './json-body.ts';

/** The size of a piece. A large body is hashed in pieces, so that other requests are served in between. */
const PIECE_CHARACTERS = 256 * 1024;

/** Hashes a JSON value. The order of members and white space do not affect the hash. */
export async function hashJsonValue(body: JsonObject): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  let sinceYield = 0;
  for (const piece of piecesOf(body)) {
    hasher.update(piece);
    sinceYield += piece.length;
    if (sinceYield < PIECE_CHARACTERS) continue;
    sinceYield = 0;
    await nextTurn();
  }
  return hasher.digest('hex');
}

/** Yields the canonical text: members in order, and elements of top-level lists one by one. */
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

/** Serializes a value with the members of every object in order. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name])}`).join(',')}}`;
}
