import { characterRanges, type RangeName, signRanges } from './character-ranges.ts';

const charactersIn = (first: string, last: string): string[] => {
  const from = first.charCodeAt(0);
  return Array.from({ length: last.charCodeAt(0) - from + 1 }, (_, at) => String.fromCharCode(from + at));
};

const lower = charactersIn('a', 'z');
const upper = charactersIn('A', 'Z');
const digits = charactersIn('0', '9');
const ascii = charactersIn('!', '~');
/** Holds names to those of the ranges. */
const ofRanges = (...names: RangeName[]): string[] => names;
const rangeNames: string[] = [...new Set(characterRanges.map(([, name]) => name))];
/** The first half of an emoji begins a word as a capital does. */
const capitals = [
  ...upper,
  ...ofRanges('latin-upper', 'cyrillic-upper', 'high', 'high-emoji', 'high-face', 'high-more-emoji'),
];
const smallLetters = [...lower, ...ofRanges('latin-lower', 'latin-more', 'cyrillic-lower', 'low')];
/** Scripts without spaces: a run of their letters is a sentence and not a word. */
// biome-ignore format: a line for each group
const unspaced = ofRanges(
  'han', 'han-rare', 'hiragana', 'katakana', 'thai', 'thai-mark', 'lao', 'tibetan', 'myanmar', 'khmer',
);
const letters = [
  ...unspaced,
  ...rangeNames.filter(
    (name) => !signRanges.has(name) && !capitals.includes(name) && !unspaced.includes(name) && name !== 'low',
  ),
  ...ofRanges('low'),
  ...lower,
  ...capitals,
];
const wordSigns = new Set([...letters, ...digits]);
/** Kinds whose cost depends on their place in a run of the same kind. */
const inRuns = [...digits, ' ', '\n', '\t', 'digit-2', 'digit-3', 'spaces', 'newlines', 'tabs'];

/**
 * The kinds: letters first, with unspaced scripts before and capitals after the others.
 * Signs follow, and kinds that form runs.
 */
export const kindNames: readonly string[] = [
  ...letters,
  ...ascii.filter((name) => !wordSigns.has(name)),
  '\r',
  ...signRanges,
  ...inRuns,
];
/** The number of kinds. */
export const KINDS = kindNames.length;
/** Kinds below this one are letters. */
export const LETTERS = letters.length;
/** Runs of letters from this kind on are words. */
export const SPACED = unspaced.length;
/** Letters from this kind on are capitals. */
export const CAPITALS = LETTERS - capitals.length;
export const RUN_KINDS = inRuns.length;
/** Kinds from this one on depend on their place in a run. */
export const RUNS = KINDS - RUN_KINDS;

const kindNamed = (name: string): number => kindNames.indexOf(name);
export const NEWLINE = kindNamed('\n');

/** The kind of every UTF-16 unit, as if it began a run. */
export const kindOf: Uint8Array = (() => {
  const kinds = new Uint8Array(0x10000);
  characterRanges.forEach(([from, name], index) => {
    kinds.fill(kindNamed(name), from, characterRanges[index + 1]?.[0] ?? kinds.length);
  });
  for (const character of [...ascii, ' ', '\n', '\r', '\t'])
    kinds[character.charCodeAt(0)] = kindNamed(character);
  return kinds;
})();

/** A capital after one of these begins a new word, as in `camelCase`. */
export const isLower: Uint8Array = Uint8Array.from(kindNames, (name) => Number(smallLetters.includes(name)));

/**
 * Matches the rest of a run after its first character.
 * Vocabularies join up to three digits, and all spaces but the last one.
 */
const nextInRun: Readonly<Record<string, string>> = {
  ' ': 'spaces',
  spaces: 'spaces',
  '\n': 'newlines',
  newlines: 'newlines',
  '\t': 'tabs',
  tabs: 'tabs',
};

function kindInRun(before: string, name: string): string {
  if (digits.includes(name)) {
    if (digits.includes(before)) return 'digit-2';
    return before === 'digit-2' ? 'digit-3' : name;
  }
  const next = nextInRun[name] ?? name;
  return before === name || before === next ? next : name;
}

/**
 * The kind of a character by its place in a run: by the kind before it (row), and its own kind as if it began
 * a run (column).
 */
export const kindsInRuns: Uint8Array = Uint8Array.from(
  kindNames.flatMap((before) => inRuns.map((name) => kindNamed(kindInRun(before, name)))),
);

/** A word has a different token after a space. The seeds are the first values of its hash. */
export const seedAfter: Uint8Array = Uint8Array.from(kindNames, (name) =>
  name === ' ' || name === 'spaces' ? 1 : 2,
);
