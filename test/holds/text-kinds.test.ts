import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { parseBodyAtOnce } from '../../src/base/json/parse-body.ts';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { estimateText } from '../../src/translation/tokens/estimate-text.ts';
import { findTokenFamily } from '../../src/translation/tokens/find-token-family.ts';
import { PromptBound } from '../../src/translation/tokens/prompt-bound.ts';
import { TokenCounter } from '../../src/translation/tokens/token-counter.ts';
import { loadSliceCounter } from '../../src/translation/tokens/vocabulary.ts';
import { shareOf } from '../support/share-of.ts';
import { textKinds } from './text-kinds.ts';

const timeoutMs = 120_000;
setDefaultTimeout(timeoutMs);
const counter = new TokenCounter({ timeoutMs });
afterAll(() => counter.close());

/** Beyond where texts are cut for counting. */
const LENGTH = 6_000;
/** The tokens of the smallest request without its text. */
const FRAMING = 7;

const models = {
  p50k: { upstreamModel: 'anything', isSimulated: true },
  cl100k: { upstreamModel: 'gpt-4', isSimulated: false },
  o200k: { upstreamModel: 'gpt-4o', isSimulated: false },
};

async function held(text: string, model: (typeof models)['p50k']): Promise<number> {
  const body = parseBodyAtOnce(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }));
  if (!('value' in body)) throw body;
  const reader = { families: [findTokenFamily(model)], contextWindow: 10_000_000, isChat: true };
  return new PromptBound({ body }, counter).for(reader);
}

const percent = (of: number, whole: number): string => `${((of / whole - 1) * 100).toFixed(0)} %`;

describe.each(shareOf(Object.entries(models), { turn: 2, of: 3 }))('with %s', async (vocabulary, model) => {
  const count = await loadSliceCounter(vocabulary as keyof typeof models);
  const rows: Record<string, string>[] = [];
  afterAll(() => {
    console.log(`${vocabulary}: how far from the count of ${LENGTH} characters`);
    console.table(rows);
  });

  test.each(
    Object.entries(textKinds),
  )('holds between 1 and 1.3 times the cost of %s [CRD-47]', async (kind, make) => {
    const text = make(LENGTH, seededRandom(7));
    const counted = count(text);
    const bound = await held(text, model);
    const estimate = estimateText(text, vocabulary as keyof typeof models);
    rows.push({
      kind,
      tokens: String(counted),
      estimate: percent(estimate, counted),
      held: percent(bound, counted),
    });
    expect(bound).toBeWithin(counted + FRAMING, (counted + FRAMING) * 1.3);
  });
});

test('estimates a text with the sampling period like any other', () => {
  const length = 128 * 1_024;
  const stride = (length - 128) / 256;
  const random = seededRandom(7);
  const heavy = textKinds.base64!(length, random);
  let light = '';
  for (let sample = 0; sample < 256; sample++) {
    const from = Math.floor(sample * stride);
    light += `${' '.repeat(128)}${heavy.slice(from + 128, Math.floor((sample + 1) * stride))}`;
  }
  const whole = estimateText(heavy, 'o200k', { random: seededRandom(1) });
  for (let time = 1; time <= 20; time++)
    expect(estimateText(light, 'o200k', { random: seededRandom(time) }) / whole).toBeWithin(0.6, 1);
});
