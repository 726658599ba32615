import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VocabularyName } from '../../src/translation/canonical/vocabulary-name.ts';
import { PARTS_PER_TOKEN, weightsFile } from '../../src/translation/tokens/estimate-weights.ts';
import { loadVocabulary } from '../../src/translation/tokens/vocabulary.ts';
import { percentileOf } from '../percentile-of.ts';
import { countFeatures } from './count-features.ts';
import { featureRegularization } from './feature-regularization.ts';
import { kindWeights } from './kind-weights.ts';
import { knownWords } from './known-words.ts';
import { type Equation, leastSquares } from './least-squares.ts';

// Fits the weights of token estimates to texts: `node scripts/run.mjs bench/estimates/fit-weights.ts FOLDER`.

/** Every fourth text of a kind is not fitted but checked. */
const CHECKED_EVERY = 4;
/** A kind counts as this many texts, so that kinds with many texts do not outweigh the others. */
const TEXTS_OF_KIND = 6;
/** The most that one text of a kind with few texts counts. */
const MAX_TEXT_SHARE = 2;
const MIN_WEIGHT = -32_768;
const MAX_WEIGHT = 32_767;

type Sample = { kind: string; text: string; isChecked: boolean };

/** A sample with its number of tokens, and the number of times that it has each feature. */
type CountedSample = Sample & { tokens: number; features: Map<number, number> };

/** Reads the texts of a folder, which has a folder for each kind. */
const readSamples = (folder: string): Sample[] =>
  readdirSync(folder).flatMap((kind) =>
    readdirSync(join(folder, kind)).map((file, index) => ({
      kind,
      text: readFileSync(join(folder, kind, file), 'utf8'),
      isChecked: index % CHECKED_EVERY === CHECKED_EVERY - 1,
    })),
  );

/** Makes an equation whose error is the relative error of the estimate. */
function equationOf({ features, tokens }: CountedSample, textsOfKind: number): Equation {
  // Least squares add up the squares of the errors.
  const scale = Math.sqrt(Math.min(MAX_TEXT_SHARE, TEXTS_OF_KIND / textsOfKind));
  return {
    unknowns: Int32Array.from(features.keys()),
    factors: Float64Array.from(features.values(), (times) => (times * scale) / tokens),
    result: scale,
  };
}

function equationsOf(fitted: readonly CountedSample[]): Equation[] {
  const byKind = Map.groupBy(fitted, ({ kind }) => kind);
  return fitted.map((sample) => equationOf(sample, byKind.get(sample.kind)!.length));
}

type FittedTables = { weights: Float64Array; known: Uint8Array };

/** Writes the weights of kinds, in parts of a token, and the known words after them. */
function saveTables(vocabulary: VocabularyName, { weights, known }: FittedTables): void {
  const table = Int16Array.from(kindWeights(weights), (weight) =>
    Math.max(MIN_WEIGHT, Math.min(MAX_WEIGHT, Math.round(weight * PARTS_PER_TOKEN))),
  );
  writeFileSync(weightsFile(vocabulary), Buffer.concat([Buffer.from(table.buffer), known]));
}

/** Returns the error of the estimate as a part of the number of tokens. */
function errorOf({ features, tokens }: CountedSample, weights: Float64Array): number {
  let estimate = 0;
  for (const [feature, times] of features) estimate += times * weights[feature]!;
  return Math.abs(estimate / tokens - 1);
}

const formatPercent = (part: number): string => `${(part * 100).toFixed(1)} %`;

function formatErrors(samples: readonly CountedSample[], weights: Float64Array): string {
  const errors = samples.map((sample) => errorOf(sample, weights));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return [
    `${errors.length} texts`,
    `mean error ${formatPercent(mean)}`,
    `95 % below ${formatPercent(percentileOf(errors, 0.95))}`,
  ].join(', ');
}

async function fit(vocabulary: VocabularyName, samples: readonly Sample[]): Promise<void> {
  const count = await loadVocabulary(vocabulary);
  const known = await knownWords(vocabulary);
  const counted = samples.map((sample): CountedSample => {
    const { text } = sample;
    return { ...sample, tokens: count(text), features: countFeatures(text, known) };
  });
  const fitted = counted.filter(({ isChecked }) => !isChecked);
  const checked = counted.filter(({ isChecked }) => isChecked);
  const weights = leastSquares(equationsOf(fitted), featureRegularization());
  saveTables(vocabulary, { weights, known });
  console.log(`${vocabulary}, fitted: ${formatErrors(fitted, weights)}`);
  console.log(`${vocabulary}, checked: ${formatErrors(checked, weights)}`);
}

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('usage: fit-weights.ts FOLDER (with a folder of texts for each kind)');
const samples = readSamples(folder);
for (const vocabulary of ['p50k', 'cl100k', 'o200k'] as const) await fit(vocabulary, samples);
