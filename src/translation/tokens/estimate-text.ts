import { type CharacterKind, characterKinds, characterWeights } from './character-weights.ts';
import type { VocabularyName } from './vocabulary.ts';

/** The start of each range of characters. A range ends where the next one begins. */
const ranges: readonly (readonly [from: number, kind: CharacterKind])[] = [
  [0x0000, 'control'],
  [0x0020, 'space'],
  [0x0021, 'sign'],
  [0x0030, 'digit'],
  [0x003a, 'sign'],
  [0x0041, 'upper'],
  [0x005b, 'sign'],
  [0x0061, 'lower'],
  [0x007b, 'sign'],
  [0x0080, 'two-byte'],
  [0x0800, 'other'],
  [0x3040, 'kana'],
  [0x3100, 'other'],
  [0x4e00, 'han'],
  [0xa000, 'other'],
  [0xac00, 'hangul'],
  [0xd7a4, 'other'],
];

const KINDS = characterKinds.length;
const UNITS = 0x10000;

/** The kind of every UTF-16 unit. */
const kindOf = (() => {
  const kinds = new Uint8Array(UNITS);
  ranges.forEach(([from, kind], index) => {
    kinds.fill(characterKinds.indexOf(kind), from, ranges[index + 1]?.[0] ?? UNITS);
  });
  return kinds;
})();

/** Texts of at least this length are estimated from samples. */
const LONG = 64 * 1024;
const SAMPLES = 256;
const SAMPLE_LENGTH = 128;
const CONTROL = characterKinds.indexOf('control');
const SPACE = characterKinds.indexOf('space');

/** The weights for a letter after a letter hold for words. A text below this weight, in hundredths, may not consist of words. */
const LIGHT = 16;
const LONG_RUN = 16;
const ofLongRuns: Partial<Record<CharacterKind, number>> = { 'two-byte': 90, hangul: 220 };
const runWeights = characterKinds.map((kind) => ofLongRuns[kind] ?? 0);
/** The extra weight of a single letter between spaces, which is a word too. */
const ofLoneLetters: Partial<Record<CharacterKind, number>> = { lower: 80, upper: 90 };
const loneWeights = characterKinds.map((kind) => ofLoneLetters[kind] ?? 0);

/**
 * Estimates the tokens of a text without tokenizing it, at 1 ns a character. Over 2,875 texts in many languages and formats, the mean error
 * was 7 %. For 95 % of them it was below 20 %. The worst case, a page of one word or sign, was 90 %.
 */
export function estimateText(text: string, vocabulary: VocabularyName, random?: () => number): number {
  const weights = characterWeights[vocabulary];
  const { length } = text;
  return length < LONG
    ? Math.ceil(weigh(text, weights, { from: 0, to: length }) / 100)
    : estimateBySamples(text, weights, random ?? Math.random);
}

/**
 * Estimates a long text from random samples. New samples are drawn each time, so that a client cannot predict them and no period of
 * the text matches them.
 */
function estimateBySamples(text: string, weights: Int16Array, random: () => number): number {
  const { length } = text;
  const stride = (length - SAMPLE_LENGTH) / SAMPLES;
  let weight = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = Math.floor((sample + random()) * stride);
    weight += weigh(text, weights, { from, to: from + SAMPLE_LENGTH });
  }
  return Math.ceil((weight / 100 / (SAMPLES * SAMPLE_LENGTH)) * length);
}

type Piece = { from: number; to: number };

function weigh(text: string, weights: Int16Array, { from, to }: Piece): number {
  let weight = 0;
  let before = from === 0 ? CONTROL : kindOf[text.charCodeAt(from - 1)]!;
  for (let at = from; at < to; at++) {
    const kind = kindOf[text.charCodeAt(at)]!;
    weight += weights[before * KINDS + kind]!;
    before = kind;
  }
  return weight < LIGHT * (to - from) ? weight + weighOddWords(text, { from, to }) : weight;
}

/** Returns the extra weight of letters in runs longer than words, and of letters that stand alone. */
function weighOddWords(text: string, { from, to }: Piece): number {
  let weight = 0;
  let run = 0;
  let before = SPACE;
  for (let at = from; at < to; at++) {
    const kind = kindOf[text.charCodeAt(at)]!;
    if (kind === SPACE && run === 0) weight += loneWeights[before]!;
    run = kind === before ? run + 1 : 0;
    if (run > LONG_RUN) weight += runWeights[kind]!;
    before = kind;
  }
  return weight;
}
