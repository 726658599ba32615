import { expect, test } from 'bun:test';
import { seededRandom } from '../../../src/base/lib/testing/seeded-random.ts';
import { loadTokenizer } from '../../../src/simulator/model/tokenizer.ts';
import { estimateText } from '../../../src/translation/tokens/estimate-text.ts';
import { drawText, languages } from './passages.ts';

const TEXTS = 300;
const MIN_SENTENCES = 6;

for (const language of languages) {
  test(`estimates the soak's ${language} text within 6 % of its tokens`, async () => {
    const tokenizer = await loadTokenizer();
    const random = seededRandom(20_261_121);
    const ratios = Array.from({ length: TEXTS }, () => {
      const text = drawText(language, MIN_SENTENCES + Math.floor(30 * random()), random);
      return estimateText(text, 'p50k') / tokenizer.count(text);
    });
    expect(Math.min(...ratios)).toBeGreaterThan(0.94);
    expect(Math.max(...ratios)).toBeLessThan(1.06);
  });
}
