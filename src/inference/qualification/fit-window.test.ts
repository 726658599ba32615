import { describe, expect, test } from 'bun:test';
import { knownBody } from '../../base/json/json-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import { findTokenFamily } from '../../translation/tokens/find-token-family.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import { sampleInference } from '../request/testing/sample-inference.ts';
import { fitWindow } from './fit-window.ts';

const WINDOW = 10_000;
const FRAMING = 32;
const counted = { upstreamModel: 'claude-x', isSimulated: false };
const entry = sampleEntry({
  model: { contextWindow: WINDOW, maxOutput: 4_000 },
  family: findTokenFamily(counted),
  counted,
});
const prompt = 'The harbour is cold, and the boats lie still. '.repeat(700);

/** Returns the space for the answer to a prompt with this many tokens, or the refusal. */
async function spaceLeft(countedTokens: number) {
  const value = { model: 'm', messages: [{ role: 'user', content: prompt }], max_tokens: 4_000 };
  const counter = partial<TokenCounter>({ countPrompt: async () => ({ sure: countedTokens, unsure: 0 }) });
  const inference = sampleInference({
    request: { model: 'm', stream: false, body: knownBody(JSON.stringify(value), value) },
    entry,
    services: { counter: partial<TokenCounter>({ for: () => counter }) },
  });
  return (await fitWindow(inference)) ?? inference.request.outputSpace ?? entry.model.maxOutput;
}

describe("near the window's edge an answer is cut", () => {
  test('by the count and its possible error, if this leaves at least half of the likely room', async () => {
    expect(await spaceLeft(6_000)).toBe(WINDOW - (6_000 + FRAMING) - 6_000 * entry.family.relativeError);
  });

  test('to half of the likely room, if the possible error would leave less [MSG-44]', async () => {
    expect(await spaceLeft(8_600)).toBe((WINDOW - (8_600 + FRAMING)) / 2);
    expect(await spaceLeft(9_500)).toBe((WINDOW - (9_500 + FRAMING)) / 2);
  });
});

test('refuses only a prompt that surely exceeds the window [ERR-16]', async () => {
  expect(await spaceLeft(10_500)).toBe(4_000);
  expect(await spaceLeft(12_000)).toMatchObject({ code: 'context_length_exceeded' });
});
