import { describe, expect, test } from 'bun:test';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { findTokenFamily } from '../../translation/tokens/find-token-family.ts';
import type { CountedPrompt } from '../../translation/tokens/token-counter.ts';
import type { Inference } from '../request/inference.ts';
import { fitWindow } from './fit-window.ts';

const WINDOW = 10_000;
const FRAMING = 32;
const counted = { upstreamModel: 'claude-x', isSimulated: false };
const entry = {
  model: { contextWindow: WINDOW, maxOutput: 4_000 },
  family: findTokenFamily(counted),
  counted,
} as CatalogEntry;
const prompt = 'The harbour is cold, and the boats lie still. '.repeat(700);

/** Returns the space for the answer to a prompt with this many tokens, or the refusal. */
async function spaceLeft(countedTokens: number) {
  const body = { text: prompt, members: new Map(), value: { input: prompt, max_tokens: 4_000 } };
  const inference = {
    exchange: { style: 'openai' },
    dialect: { ceilings: ['max_tokens'], codec: { decodeRequest: () => ({}) } },
    request: { body },
    entry,
    counter: { countPrompt: async (): Promise<CountedPrompt> => ({ sure: countedTokens, unsure: 0 }) },
  } as unknown as Inference;
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

test('leaves a prompt without likely room to the upstream, and refuses one that surely exceeds the window [ERR-16]', async () => {
  expect(await spaceLeft(10_500)).toBe(4_000);
  expect(await spaceLeft(12_000)).toMatchObject({ code: 'context_length_exceeded' });
});
