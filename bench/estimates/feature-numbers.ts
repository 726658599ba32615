import { KINDS, kindNames } from '../../src/translation/tokens/character-kinds.ts';

// Each character or known word of a text has two features, with one weight each: the first is of the kinds,
// and the second of their groups. A kind with too few texts of its own leans towards the weight of its group.

/** Returns the group of a kind, by name. Kinds of several characters have groups of their own. */
function groupNameOf(kindName: string): string {
  if (/^[a-z]$/.test(kindName)) return 'lower';
  if (/^[A-Z]$/.test(kindName)) return 'upper';
  if (/^\d$/.test(kindName)) return 'digit';
  return kindName.length === 1 && kindName.trim() !== '' ? 'sign' : kindName;
}

const groupNames = [...new Set(kindNames.map(groupNameOf))];
const groupOf = kindNames.map((name) => groupNames.indexOf(groupNameOf(name)));
const GROUPS = groupNames.length;

// Each block of features begins where the block above it ends. The pairs of kinds begin at 0.
const GROUP_PAIRS = KINDS * KINDS;
const KIND_REPEATS = GROUP_PAIRS + GROUPS * GROUPS;
const GROUP_REPEATS = KIND_REPEATS + KINDS;
const KIND_WORDS = GROUP_REPEATS + GROUPS;
const GROUP_WORDS = KIND_WORDS + KINDS;
/** The number of features. */
export const FEATURES = GROUP_WORDS + GROUPS;

/** The number of a feature of kinds, and that of the same feature of their groups. */
export type FeaturePair = readonly [ofKinds: number, ofGroups: number];

/** Returns the features of a character, by the kind of the character before it and its own kind. */
export const pairFeatures = (before: number, kind: number): FeaturePair => [
  before * KINDS + kind,
  GROUP_PAIRS + groupOf[before]! * GROUPS + groupOf[kind]!,
];

/** Returns the features of a sign that repeats the character before it. */
export const repeatFeatures = (kind: number): FeaturePair => [
  KIND_REPEATS + kind,
  GROUP_REPEATS + groupOf[kind]!,
];

/** Returns the features of a known word, by the kind of the character before it. */
export const wordFeatures = (before: number): FeaturePair => [
  KIND_WORDS + before,
  GROUP_WORDS + groupOf[before]!,
];
