import { describe, expect, test } from 'bun:test';
import { CountedText } from '../../translation/canonical/counted-text.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import { type EstimateSource, UsageEstimate } from './usage-estimate.ts';

const parts: EstimateSource = {
  input: () => 1_100,
  text: (text) => Math.ceil(text.length / 4),
  countInput: async () => 1_000,
  countText: async (text) => text.length / 5,
  cachedInput: (input) => input / 2,
  hidesReasoning: () => false,
  maxText: 500,
  family: { vocabulary: 'o200k', textFactor: 1 },
};
const estimate = new UsageEstimate(parts);
const saying = (length: number): CountedText => {
  const answerText = new CountedText(estimate);
  answerText.add('x'.repeat(length));
  return answerText;
};
const counted: Usage = { input: { uncached: 70, cacheRead: 30 }, output: { visible: 9 } };
const unfinished = { known: undefined, reported: undefined, answerText: saying(400), isWhole: false };

describe('the usage of an incomplete answer', () => {
  test('is estimated at once from the text, the prompt and the cached share', () =>
    expect(estimate.soFar(unfinished)).toEqual({
      input: { uncached: 550, cacheRead: 550 },
      output: { visible: 100 },
      isEstimated: true,
    }));

  test('is counted when there is time', async () =>
    expect(await estimate.counted({ ...unfinished, answerText: saying(400) })).toEqual({
      input: { uncached: 500, cacheRead: 500 },
      output: { visible: 80 },
      isEstimated: true,
    }));

  test('has the reported input and at least the reported output', async () => {
    const partial = { ...unfinished, known: counted, reported: counted };
    expect(await estimate.counted({ ...partial, answerText: saying(400) })).toMatchObject({
      input: counted.input,
      output: { visible: 80 },
    });
    expect(await estimate.counted({ ...partial, answerText: saying(5) })).toEqual(counted);
  });

  test('has at least the searches that the vendor showed or counted', async () => {
    const answerText = saying(400);
    answerText.addPart({ type: 'server_tool_use', name: 'web_search' });
    answerText.addPart({ type: 'server_tool_use', name: 'web_fetch' });
    answerText.addPart({ type: 'web_search_call', action: { type: 'open_page' } });
    answerText.addPart({ type: 'web_search_call' });
    const searched = { ...counted, detail: { counts: { web_search: 3 } } };
    for (const [usage, searches] of [
      [undefined, 2],
      [counted, 2],
      [searched, 3],
    ] as const) {
      const produced = { ...unfinished, answerText, known: usage, reported: usage };
      expect(estimate.soFar(produced).detail?.counts?.web_search).toBe(searches);
      expect((await estimate.counted(produced)).detail?.counts?.web_search).toBe(searches);
    }
  });

  test('has at most the requested output', async () => {
    const long = { ...unfinished, answerText: saying(8_000) };
    expect(estimate.soFar(long).output.visible).toBe(500);
    expect((await estimate.counted({ ...long, answerText: saying(8_000) })).output.visible).toBe(500);
  });

  test('includes hidden reasoning by the time before the first text', async () => {
    const thinking = new UsageEstimate({ ...parts, hidesReasoning: () => true });
    const silent = { ...unfinished, silentMs: 4_000 };
    expect(thinking.soFar(silent).output).toEqual({ visible: 100, thinking: 100 });
    expect((await thinking.counted({ ...silent, known: counted, reported: counted })).output.thinking).toBe(
      100,
    );
  });
});

describe('the usage of a complete answer', () => {
  const whole = { ...unfinished, known: counted, reported: counted, isWhole: true };

  test('is the usage that the upstream reported', async () => {
    expect(estimate.soFar(whole)).toEqual(counted);
    expect(await estimate.counted(whole)).toEqual(counted);
  });

  test('is counted with the cached share if the upstream reported nothing and no client waited', async () => {
    const known: Usage = { input: { uncached: 1_100 }, output: { visible: 100 }, isEstimated: true };
    const unreported = { ...whole, known, reported: undefined, answerText: saying(400) };
    expect(estimate.soFar(unreported)).toEqual(known);
    expect(await estimate.counted(unreported)).toEqual({
      input: { uncached: 500, cacheRead: 500 },
      output: { visible: 80 },
      isEstimated: true,
    });
  });
});

test('estimates a part of a request from its own prompt', () => {
  const lengths = new Map<CanonicalRequest, number>();
  const [short, long] = [{}, {}] as [CanonicalRequest, CanonicalRequest];
  lengths.set(short, 10).set(long, 1_000);
  const several = new UsageEstimate({
    ...parts,
    ofPart: (part) => ({ ...parts, input: () => lengths.get(part)!, cachedInput: () => 0 }),
  });
  const inputOf = (part: CanonicalRequest) => several.ofPart(part).soFar(unfinished).input.uncached;
  expect(inputOf(short)).toBe(10);
  expect(inputOf(long)).toBe(1_000);
});
