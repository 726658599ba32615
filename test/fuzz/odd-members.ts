import { isFull } from '../support/is-full.ts';

/** Names in the prototype of every object. A table that is read without care has a member for each. */
export const prototypeWords = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__'] as const;

const MARK = 'place-of-the-word';
const MAX_CHARACTERS = 60;

type Holder = Record<string | number, unknown>;

/**
 * Yields the text of a value with one short text or member name replaced by a word. Each place gets the next
 * word, and every word with `npm test -- --full`.
 * `known` has the places of earlier values, which are left out. The elements of a list are one place.
 */
export function* withPrototypeWords(value: unknown, known: Set<string>): Generator<string> {
  const root = { value };
  for (const text of markedTexts(root, 'value', { root, known, path: '' })) {
    const one = prototypeWords[known.size % prototypeWords.length]!;
    for (const word of isFull ? prototypeWords : [one]) yield text.replace(MARK, word);
  }
}

/** An object that no text can be made of. `String` and templates throw for it. */
const TEXTLESS = '{"toString":0,"valueOf":0}';

/** Yields the text of a value with the value of one member replaced by an object without a text. */
export function* withTextlessObjects(value: unknown, known: Set<string>): Generator<string> {
  const root = { value };
  for (const text of textsWithMark(root, 'value', { root, known, path: '' }))
    yield text.replace(`"${MARK}"`, TEXTLESS);
}

function* textsWithMark(holder: Holder, key: string | number, place: Place): Generator<string> {
  const value = holder[key];
  if (isNew(place, '')) {
    holder[key] = MARK;
    yield JSON.stringify(place.root.value);
    holder[key] = value;
  }
  if (typeof value !== 'object' || value === null) return;
  const path = `${place.path} ${(value as Holder).type ?? ''}`;
  for (const name of Object.keys(value))
    yield* textsWithMark(value as Holder, name, {
      ...place,
      path: Array.isArray(value) ? path : `${path}.${name}`,
    });
}

type Place = { root: { value: unknown }; known: Set<string>; path: string };

function* markedTexts(holder: Holder, key: string | number, place: Place): Generator<string> {
  const value = holder[key];
  if (typeof value === 'string') {
    if (value.length > MAX_CHARACTERS || !isNew(place, value)) return;
    holder[key] = MARK;
    yield JSON.stringify(place.root.value);
    holder[key] = value;
  } else if (Array.isArray(value)) {
    for (const at of value.keys()) yield* markedTexts(value as never, at, place);
  } else if (typeof value === 'object' && value !== null) {
    // The type is part of the place, since it decides which members there are.
    const path = `${place.path} ${(value as Holder).type ?? ''}`;
    for (const name of Object.keys(value)) {
      const inner = { ...place, path: `${path}.${name}` };
      yield* markedTexts(value as Holder, name, inner);
      yield* renamed(value as Holder, name, inner);
    }
  }
}

function* renamed(holder: Holder, name: string, place: Place): Generator<string> {
  if (!isNew(place, '')) return;
  const value = holder[name];
  delete holder[name];
  holder[MARK] = value;
  yield JSON.stringify(place.root.value);
  delete holder[MARK];
  holder[name] = value;
}

function isNew({ known, path }: Place, value: string): boolean {
  const name = `${path}=${value}`;
  const isKnown = known.has(name);
  known.add(name);
  return !isKnown;
}
