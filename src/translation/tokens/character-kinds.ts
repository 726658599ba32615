/**
 * Ranges of UTF-16 units whose characters cost about the same. A range ends where the next one begins. ASCII
 * has a kind for each character. Names in `signs` are no letters, so they end a word. An emoji is a word.
 */
const ranges = [
  [0x0000, 'control'],
  [0x0080, 'latin-sign'],
  [0x00aa, 'latin-lower'],
  [0x00ab, 'latin-sign'],
  [0x00b5, 'latin-lower'],
  [0x00b6, 'latin-sign'],
  [0x00c0, 'latin-upper'],
  [0x00d7, 'latin-sign'],
  [0x00d8, 'latin-upper'],
  [0x00df, 'latin-lower'],
  [0x00f7, 'latin-sign'],
  [0x00f8, 'latin-lower'],
  [0x0100, 'latin-more'],
  [0x0250, 'phonetic'],
  [0x0300, 'combining'],
  [0x0370, 'greek'],
  [0x0400, 'cyrillic-upper'],
  [0x0430, 'cyrillic-lower'],
  [0x0450, 'cyrillic-more'],
  [0x0530, 'armenian'],
  [0x0590, 'hebrew'],
  [0x0600, 'arabic'],
  [0x0660, 'arabic-digit'],
  [0x066a, 'arabic'],
  [0x0700, 'rare'],
  [0x0900, 'devanagari-mark'],
  [0x0904, 'devanagari'],
  [0x093a, 'devanagari-mark'],
  [0x0958, 'devanagari'],
  [0x0964, 'danda'],
  [0x0966, 'devanagari'],
  [0x0980, 'bengali-mark'],
  [0x0985, 'bengali'],
  [0x09bc, 'bengali-mark'],
  [0x09dc, 'bengali'],
  [0x0a00, 'gurmukhi'],
  [0x0a80, 'gujarati'],
  [0x0b00, 'odia'],
  [0x0b80, 'tamil'],
  [0x0bbc, 'tamil-mark'],
  [0x0bd0, 'tamil'],
  [0x0c00, 'telugu'],
  [0x0c3c, 'telugu-mark'],
  [0x0c58, 'telugu'],
  [0x0c80, 'kannada'],
  [0x0d00, 'malayalam'],
  [0x0d80, 'sinhala'],
  [0x0e00, 'thai'],
  [0x0e31, 'thai-mark'],
  [0x0e32, 'thai'],
  [0x0e34, 'thai-mark'],
  [0x0e3f, 'thai'],
  [0x0e47, 'thai-mark'],
  [0x0e4f, 'thai'],
  [0x0e80, 'lao'],
  [0x0f00, 'tibetan'],
  [0x1000, 'myanmar'],
  [0x10a0, 'georgian'],
  [0x1100, 'rare'],
  [0x1200, 'ethiopic'],
  [0x1380, 'rare'],
  [0x1780, 'khmer'],
  [0x1800, 'rare'],
  [0x1e00, 'vietnamese'],
  [0x1f00, 'greek'],
  [0x2000, 'general-sign'],
  [0x200b, 'joiner'],
  [0x2010, 'general-sign'],
  [0x2028, 'joiner'],
  [0x2030, 'general-sign'],
  [0x2070, 'symbol'],
  [0x2500, 'box'],
  [0x2580, 'symbol'],
  [0x2e80, 'rare'],
  [0x3000, 'cjk-sign'],
  [0x3040, 'hiragana'],
  [0x30a0, 'katakana'],
  [0x3100, 'rare'],
  [0x3400, 'han-rare'],
  [0x4e00, 'han'],
  [0xa000, 'rare'],
  [0xac00, 'hangul'],
  [0xd7a4, 'rare'],
  [0xd800, 'high'],
  [0xd83c, 'high-emoji'],
  [0xd83d, 'high-face'],
  [0xd83e, 'high-more-emoji'],
  [0xd83f, 'high'],
  [0xdc00, 'low'],
  [0xe000, 'private'],
  [0xf900, 'rare'],
  [0xfe00, 'joiner'],
  [0xfe10, 'rare'],
  [0xff00, 'full-width'],
  [0xff66, 'katakana'],
  [0xffa0, 'full-width'],
] as const satisfies readonly (readonly [from: number, name: string])[];

/** The name of a kind beyond ASCII. */
export type RangeName = (typeof ranges)[number][1];

// biome-ignore format: a line for each group
const signs: ReadonlySet<string> = new Set<RangeName>([
  'control', 'latin-sign', 'arabic-digit', 'danda', 'general-sign', 'joiner', 'symbol', 'box',
  'cjk-sign', 'private', 'full-width',
]);

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
const rangeNames: string[] = [...new Set(ranges.map(([, name]) => name))];
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
    (name) => !signs.has(name) && !capitals.includes(name) && !unspaced.includes(name) && name !== 'low',
  ),
  ...[...ofRanges('low'), ...lower],
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
  ...signs,
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
  ranges.forEach(([from, name], index) => {
    kinds.fill(kindNamed(name), from, ranges[index + 1]?.[0] ?? kinds.length);
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
 * The kind of a character by its place in a run: by the kind before it (row), and its own kind
 * as if it began a run (column).
 */
export const kindsInRuns: Uint8Array = Uint8Array.from(
  kindNames.flatMap((before) => inRuns.map((name) => kindNamed(kindInRun(before, name)))),
);

/** A word has a different token after a space. The seeds are the first values of its hash. */
export const seedAfter: Uint8Array = Uint8Array.from(kindNames, (name) =>
  name === ' ' || name === 'spaces' ? 1 : 2,
);
