import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { estimateText } from '../../src/translation/tokens/estimate-text.ts';
import { textKinds } from './text-kinds.ts';

/** The lengths of a long text and of each sample that the estimate reads, and the number of samples. */
const LENGTH = 128 * 1_024;
const SAMPLE_LENGTH = 128;
const SAMPLES = 256;

/** Replaces the regular places of samples by spaces, which cost little. */
function evadeSamples(text: string): string {
  const stride = (LENGTH - SAMPLE_LENGTH) / SAMPLES;
  const pieces = Array.from({ length: SAMPLES }, (_, sample) => {
    const from = Math.floor(sample * stride) + SAMPLE_LENGTH;
    return ' '.repeat(SAMPLE_LENGTH) + text.slice(from, Math.floor((sample + 1) * stride));
  });
  return pieces.join('');
}

test('a text whose costly parts avoid regular places is estimated like any other [CRD-47]', () => {
  const costly = textKinds.base64!(LENGTH, seededRandom(7));
  const evading = evadeSamples(costly);
  const whole = estimateText(costly, 'o200k', { random: seededRandom(1) });
  for (let seed = 1; seed <= 20; seed++)
    expect(estimateText(evading, 'o200k', { random: seededRandom(seed) }) / whole).toBeWithin(0.6, 1);
});
