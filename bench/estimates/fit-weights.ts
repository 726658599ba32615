import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VocabularyName } from '../../src/translation/canonical/vocabulary-name.ts';
import { hashOf, PARTS_PER_TOKEN, weightsFile } from '../../src/translation/tokens/estimate-weights.ts';
import { loadVocabulary } from '../../src/translation/tokens/vocabulary.ts';
import { type Equation, leastSquares } from './least-squares.ts';
import { FEATURES, featuresOf, penaltyOf, priorOf, weightsOfKinds } from './text-features.ts';

/**
 * A bit for each word would take the same file for all three vocabularies;
 * these sizes keep one bit in six set.
 */
const BITS: Readonly<Record<VocabularyName, number>> = { p50k: 18, cl100k: 19, o200k: 20 };
/** Every fourth text of a kind is not fitted but checked. */
const CHECKED = 4;
/** Kinds with more texts than this count as if they had this many. */
const TEXTS_OF_KIND = 6;

type Sample = { kind: string; text: string; isChecked: boolean };

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('usage: fit-weights.ts FOLDER (with a folder of texts for each kind)');
const samples: Sample[] = readdirSync(folder).flatMap((kind) =>
  readdirSync(join(folder, kind)).map((file, at) => ({
    kind,
    text: readFileSync(join(folder, kind, file), 'utf8'),
    isChecked: at % CHECKED === CHECKED - 1,
  })),
);

/** Sets a bit for each token that is a word, with or without the space before it. */
async function knownWords(vocabulary: VocabularyName): Promise<Uint8Array> {
  const { default: ranked } = (await import(`gpt-tokenizer/bpeRanks/${vocabulary}_base`)) as {
    default: readonly unknown[];
  };
  const known = new Uint8Array(2 ** (BITS[vocabulary] - 3));
  for (const token of ranked) {
    if (typeof token !== 'string' || !/^ ?(?:[\p{L}\p{M}]+|\p{Extended_Pictographic})$/u.test(token))
      continue;
    const isSpaced = token.startsWith(' ');
    let hash = isSpaced ? 1 : 2;
    for (let at = Number(isSpaced); at < token.length; at++) hash = hashOf(hash, token.charCodeAt(at));
    const bit = (hash ^ (hash >>> 15)) & (known.length * 8 - 1);
    known[bit >> 3]! |= 1 << (bit & 7);
  }
  return known;
}

/** Makes an equation of relative errors. Kinds with many texts do not outweigh the others. */
function equationOf(features: Map<number, number>, tokens: number, textsOfKind: number): Equation {
  const part = Math.sqrt(TEXTS_OF_KIND / Math.max(TEXTS_OF_KIND / 2, textsOfKind));
  return {
    places: Int32Array.from(features.keys()),
    values: Float64Array.from(features.values(), (times) => (times * part) / tokens),
    result: part,
  };
}

const asFloats = (of: (feature: number) => number): Float64Array =>
  Float64Array.from({ length: FEATURES }, (_, feature) => of(feature));

async function fit(vocabulary: VocabularyName): Promise<void> {
  const count = await loadVocabulary(vocabulary);
  const known = await knownWords(vocabulary);
  const times = new Map<string, number>();
  for (const { kind, isChecked } of samples) if (!isChecked) times.set(kind, (times.get(kind) ?? 0) + 1);
  const rows = samples.map((sample) => ({
    ...sample,
    tokens: count(sample.text),
    features: featuresOf(sample.text, known),
  }));
  const equations = rows
    .filter(({ isChecked }) => !isChecked)
    .map(({ features, tokens, kind }) => equationOf(features, tokens, times.get(kind)!));
  const weights = leastSquares(equations, { penalties: asFloats(penaltyOf), priors: asFloats(priorOf) });
  const parts = weightsOfKinds(weights).map((weight) => Math.round(weight * PARTS_PER_TOKEN));
  const table = Int16Array.from(parts, (part) => Math.max(-32_768, Math.min(32_767, part)));
  writeFileSync(weightsFile(vocabulary), Buffer.concat([Buffer.from(table.buffer), known]));
  for (const isChecked of [false, true]) {
    const errors = rows
      .filter((row) => row.isChecked === isChecked)
      .map(({ features, tokens }) => Math.abs(sumOf(features, weights) / tokens - 1))
      .sort((one, other) => one - other);
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const most = errors[Math.floor(errors.length * 0.95)]!;
    console.log(
      `${vocabulary}, ${isChecked ? 'checked' : 'fitted'}: ${errors.length} texts, mean error ${percent(mean)}, 95 % below ${percent(most)}`,
    );
  }
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;

function sumOf(features: Map<number, number>, weights: Float64Array): number {
  let sum = 0;
  for (const [feature, times] of features) sum += times * weights[feature]!;
  return sum;
}

for (const vocabulary of ['p50k', 'cl100k', 'o200k'] as const) await fit(vocabulary);
