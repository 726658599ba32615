import {
  CAPITALS,
  isLower,
  KINDS,
  kindNames,
  kindOf,
  kindsInRuns,
  LETTERS,
  NEWLINE,
  RUN_KINDS,
  RUNS,
  SPACED,
  seedAfter,
} from '../../src/translation/tokens/character-kinds.ts';
import { hashOf, isKnown, MAX_KNOWN } from '../../src/translation/tokens/estimate-weights.ts';

/** Kinds with too few texts of their own lean towards the weights of their group. */
function groupNameOf(name: string): string {
  if (/^[a-z]$/.test(name)) return 'lower';
  if (/^[A-Z]$/.test(name)) return 'upper';
  if (/^\d$/.test(name)) return 'digit';
  return name.length === 1 && name.trim() !== '' ? 'sign' : name;
}

const groupNames = [...new Set(kindNames.map(groupNameOf))];
const GROUPS = groupNames.length;
const groupOf = kindNames.map((name) => groupNames.indexOf(groupNameOf(name)));

// The numbers of the features. Each block begins where the one before it ends; pairs of kinds begin at 0.
const GROUP_PAIRS = KINDS * KINDS;
const REPEATS = GROUP_PAIRS + GROUPS * GROUPS;
const GROUP_REPEATS = REPEATS + KINDS;
const WORDS = GROUP_REPEATS + GROUPS;
const GROUP_WORDS = WORDS + KINDS;
/**
 * The features of a text: pairs of kinds and of groups, then repeated signs and known words by the
 * kind and the group before them.
 */
export const FEATURES = GROUP_WORDS + GROUPS;

/**
 * A weight of one kind must be worth its deviation from the group's.
 * A known word is one token unless the texts say otherwise.
 */
const PENALTY_OF_KIND = 3e-4;
const PENALTY_OF_GROUP = 1e-6;
const PENALTY_OF_WORD = 1e-2;
/** The space after a letter belongs to the next word, so it costs nothing. */
const PENALTY_OF_SPACE = 100;

const SPACE = kindNames.indexOf(' ');
const isSpaceAfterLetter = (feature: number): boolean =>
  feature < GROUP_PAIRS
    ? feature % KINDS === SPACE && feature / KINDS < LETTERS
    : feature < REPEATS &&
      (feature - GROUP_PAIRS) % GROUPS === groupOf[SPACE] &&
      groupOf.indexOf(Math.floor((feature - GROUP_PAIRS) / GROUPS)) < LETTERS;

export const penaltyOf = (feature: number): number => {
  if (isSpaceAfterLetter(feature)) return PENALTY_OF_SPACE;
  if (feature >= WORDS) return PENALTY_OF_WORD;
  const isKind = feature < GROUP_PAIRS || (feature >= REPEATS && feature < GROUP_REPEATS);
  return isKind ? PENALTY_OF_KIND : PENALTY_OF_GROUP;
};
export const priorOf = (feature: number): number => Number(feature >= GROUP_WORDS);

/** Counts the features of a text, in the order in which `estimateText` weighs them. */
export function featuresOf(text: string, known: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (feature: number): void => void counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const addPair = (before: number, kind: number): void => {
    add(before * KINDS + kind);
    add(GROUP_PAIRS + groupOf[before]! * GROUPS + groupOf[kind]!);
  };
  let before = NEWLINE;
  let last = -1;
  let word: [before: number, kind: number][] = [];
  let hash = 0;
  const endWord = (): void => {
    const isOne = word.length > 0 && word.length <= MAX_KNOWN && before >= SPACED && isKnown(known, hash);
    if (isOne) {
      add(WORDS + word[0]![0]);
      add(GROUP_WORDS + groupOf[word[0]![0]]!);
    } else for (const [first, second] of word) addPair(first, second);
    word = [];
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    let kind = kindOf[unit]!;
    if (kind >= LETTERS || (kind >= CAPITALS && isLower[before])) endWord();
    if (kind < LETTERS) {
      hash = hashOf(word.length === 0 ? seedAfter[before]! : hash, unit);
      word.push([before, kind]);
    } else {
      if (kind >= RUNS) kind = kindsInRuns[before * RUN_KINDS + kind - RUNS]!;
      if (unit !== last) addPair(before, kind);
      else {
        add(REPEATS + kind);
        add(GROUP_REPEATS + groupOf[kind]!);
      }
    }
    before = kind;
    last = unit;
  }
  endWord();
  return counts;
}

/** Adds the weights of groups to those of their kinds: pairs, repeats, known words. */
export function weightsOfKinds(weights: Float64Array): number[] {
  const kinds = Array.from({ length: KINDS }, (_, kind) => kind);
  return [
    ...kinds.flatMap((row) =>
      kinds.map(
        (column) =>
          weights[row * KINDS + column]! + weights[GROUP_PAIRS + groupOf[row]! * GROUPS + groupOf[column]!]!,
      ),
    ),
    ...kinds.map((kind) => weights[REPEATS + kind]! + weights[GROUP_REPEATS + groupOf[kind]!]!),
    ...kinds.map((kind) => weights[WORDS + kind]! + weights[GROUP_WORDS + groupOf[kind]!]!),
  ];
}
