import { KINDS } from '../../src/translation/tokens/character-kinds.ts';
import { type FeaturePair, pairFeatures, repeatFeatures, wordFeatures } from './feature-numbers.ts';

/**
 * Returns the weights of kinds, each with the weight of its group added. They have the order of the weights'
 * file: the pairs of kinds, the repeats, and the known words.
 */
export function kindWeights(weights: Float64Array): number[] {
  const kinds = Array.from({ length: KINDS }, (_, kind) => kind);
  const sumOf = ([ofKinds, ofGroups]: FeaturePair): number => weights[ofKinds]! + weights[ofGroups]!;
  return [
    ...kinds.flatMap((before) => kinds.map((kind) => sumOf(pairFeatures(before, kind)))),
    ...kinds.map((kind) => sumOf(repeatFeatures(kind))),
    ...kinds.map((before) => sumOf(wordFeatures(before))),
  ];
}
