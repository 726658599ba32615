import { KINDS, kindNames, LETTERS } from '../../src/translation/tokens/character-kinds.ts';
import { FEATURES, type FeaturePair, pairFeatures, repeatFeatures, wordFeatures } from './feature-numbers.ts';
import type { Regularization } from './least-squares.ts';

/** A weight of a kind must be worth its deviation from the weight of the group. */
const CHARACTER_PENALTIES = [3e-4, 1e-6] as const;
/** A known word is one token, unless the texts say otherwise. */
const WORD_PENALTIES = [1e-2, 1e-2] as const;
const WORD_PRIORS = [0, 1] as const;
/** The space after a letter belongs to the next word, so it costs nothing. */
const SPACE_PENALTIES = [100, 100] as const;

const SPACE = kindNames.indexOf(' ');

function setBoth(
  values: Float64Array,
  features: FeaturePair,
  [ofKinds, ofGroups]: readonly [number, number],
) {
  values[features[0]] = ofKinds;
  values[features[1]] = ofGroups;
}

/** Returns the penalties of all features, and the weights that features without evidence have. */
export function featureRegularization(): Regularization {
  const penalties = new Float64Array(FEATURES);
  const priors = new Float64Array(FEATURES);
  for (let before = 0; before < KINDS; before++) {
    for (let kind = 0; kind < KINDS; kind++) {
      const isSpaceAfterLetter = before < LETTERS && kind === SPACE;
      setBoth(
        penalties,
        pairFeatures(before, kind),
        isSpaceAfterLetter ? SPACE_PENALTIES : CHARACTER_PENALTIES,
      );
    }
    setBoth(penalties, repeatFeatures(before), CHARACTER_PENALTIES);
    setBoth(penalties, wordFeatures(before), WORD_PENALTIES);
    setBoth(priors, wordFeatures(before), WORD_PRIORS);
  }
  return { penalties, priors };
}
