import { describe, expect, test } from 'bun:test';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import { Said } from '../../translation/canonical/said.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import { type EstimateParts, UsageEstimate } from './usage-estimate.ts';

const parts: EstimateParts = {
  input: () => 1_100,
  text: (text) => Math.ceil(text.length / 4),
  countInput: async () => 1_000,
  countText: async (text) => text.length / 5,
  cachedInput: (input) => input / 2,
  hidesReasoning: () => false,
  mostText: 500,
  family: { vocabulary: 'o200k', textFactor: 1 },
};
const estimate = new UsageEstimate(parts);
const saying = (length: number): Said => {
  const said = new Said(estimate);
  said.add('x'.repeat(length));
  return said;
};
const counted: Usage = { input: { uncached: 70, cacheRead: 30 }, output: { visible: 9 } };
const unfinished = { reported: undefined, told: undefined, said: saying(400), isWhole: false };

describe('what an answer without an end comes to', () => {
  test('is estimated at once: its text, and its prompt with the cached share', () =>
    expect(estimate.soFar(unfinished)).toEqual({
      input: { uncached: 550, cacheRead: 550 },
      output: { visible: 100 },
      isEstimated: true,
    }));

  test('is counted when there is time', async () =>
    expect(await estimate.counted({ ...unfinished, said: saying(400) })).toEqual({
      input: { uncached: 500, cacheRead: 500 },
      output: { visible: 80 },
      isEstimated: true,
    }));

  test('has the input that the upstream has told, and no less output', async () => {
    const told = { ...unfinished, reported: counted, told: counted };
    expect(await estimate.counted({ ...told, said: saying(400) })).toMatchObject({
      input: counted.input,
      output: { visible: 80 },
    });
    expect(await estimate.counted({ ...told, said: saying(5) })).toEqual(counted);
  });

  test('is no more text than was asked for', async () => {
    const long = { ...unfinished, said: saying(8_000) };
    expect(estimate.soFar(long).output.visible).toBe(500);
    expect((await estimate.counted({ ...long, said: saying(8_000) })).output.visible).toBe(500);
  });

  test('has hidden reasoning by the time before the first text', async () => {
    const thinking = new UsageEstimate({ ...parts, hidesReasoning: () => true });
    const silent = { ...unfinished, silentMs: 4_000 };
    expect(thinking.soFar(silent).output).toEqual({ visible: 100, thinking: 100 });
    expect((await thinking.counted({ ...silent, told: counted, reported: counted })).output.thinking).toBe(
      100,
    );
  });
});

describe('what an answer that has ended comes to', () => {
  const whole = { ...unfinished, reported: counted, told: counted, isWhole: true };

  test('is what the upstream has told', async () => {
    expect(estimate.soFar(whole)).toEqual(counted);
    expect(await estimate.counted(whole)).toEqual(counted);
  });

  test('is counted with the cached share where the upstream told nothing and nobody waited for it', async () => {
    const reported: Usage = { input: { uncached: 1_100 }, output: { visible: 100 }, isEstimated: true };
    const untold = { ...whole, reported, told: undefined, said: saying(400) };
    expect(estimate.soFar(untold)).toEqual(reported);
    expect(await estimate.counted(untold)).toEqual({
      input: { uncached: 500, cacheRead: 500 },
      output: { visible: 80 },
      isEstimated: true,
    });
  });
});

test('a part of a request has the length of its own prompt', () => {
  const lengths = new Map<CanonicalRequest, number>();
  const [short, long] = [{}, {}] as [CanonicalRequest, CanonicalRequest];
  lengths.set(short, 10).set(long, 1_000);
  const several = new UsageEstimate({
    ...parts,
    ofPart: (part) => ({ ...parts, input: () => lengths.get(part)!, cachedInput: () => 0 }),
  });
  const inputOf = (part: CanonicalRequest) => several.ofPart(part).soFar(unfinished).input.uncached;
  expect([inputOf(short), inputOf(long)]).toEqual([10, 1_000]);
});
