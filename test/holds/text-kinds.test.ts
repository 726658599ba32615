import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { parseBodyAtOnce } from '../../src/base/json/parse-body.ts';
import { entriesOf } from '../../src/base/lib/records.ts';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import type { VocabularyName } from '../../src/translation/canonical/vocabulary-name.ts';
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

/** The characters of each text. Texts of this length are cut for counting. */
const LENGTH = 6_000;
/** The tokens of the smallest request without its text. */
const FRAMING = 7;

type Model = Parameters<typeof findTokenFamily>[0];

/** A model of each vocabulary. */
const models: Partial<Record<VocabularyName, Model>> = {
  p50k: { upstreamModel: 'anything', isSimulated: true },
  cl100k: { upstreamModel: 'gpt-4', isSimulated: false },
  o200k: { upstreamModel: 'gpt-4o', isSimulated: false },
};

async function held(text: string, model: Model): Promise<number> {
  const body = parseBodyAtOnce(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }));
  if (!('value' in body)) throw body;
  const reader = { families: [findTokenFamily(model)], contextWindow: 10_000_000, isChat: true };
  return new PromptBound({ body }, counter).for(reader);
}

const cases = await Promise.all(
  entriesOf(models).map(async ([vocabulary, model]) => ({
    vocabulary,
    model: model!,
    count: await loadSliceCounter(vocabulary),
  })),
);

const percent = (of: number, whole: number): string => `${((of / whole - 1) * 100).toFixed(0)} %`;

describe.each(shareOf(cases, { turn: 2, of: 3 }))('with $vocabulary', ({ vocabulary, model, count }) => {
  const rows: Record<string, string>[] = [];
  afterAll(() => {
    console.log(`${vocabulary}: how far from the count of ${LENGTH} characters`);
    console.table(rows);
  });

  test.each(
    entriesOf(textKinds),
  )('holds between 1 and 1.3 times the cost of %s [CRD-47]', async (kind, make) => {
    const text = make(LENGTH, seededRandom(7));
    const counted = count(text);
    const bound = await held(text, model);
    rows.push({
      kind,
      tokens: String(counted),
      estimate: percent(estimateText(text, vocabulary), counted),
      held: percent(bound, counted),
    });
    expect(bound).toBeWithin(counted + FRAMING, (counted + FRAMING) * 1.3);
  });
});
