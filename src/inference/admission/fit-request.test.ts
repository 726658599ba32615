import { describe, expect, test } from 'bun:test';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { CountedPrompt } from '../../translation/tokens/token-counter.ts';
import { tokenFamily } from '../../translation/tokens/token-family.ts';
import { fitRequest } from './fit-request.ts';

const WINDOW = 10_000;
const counted = { upstreamModel: 'claude-x', isSimulated: false };
const entry = {
  model: { contextWindow: WINDOW, maxOutput: 4_000 },
  family: tokenFamily(counted),
  counted,
} as CatalogEntry;
const prompt = 'The harbour is cold, and the boats lie still. '.repeat(700);

const roomBeside = (sure: number | undefined, asked = 4_000) =>
  fitRequest({
    entry,
    style: 'openai',
    body: { text: prompt, members: new Map(), value: { input: prompt, max_tokens: asked } },
    ceilings: ['max_tokens'],
    count: async (): Promise<CountedPrompt | undefined> =>
      sure === undefined ? undefined : { sure, unsure: 0 },
  });

describe("near the window's edge an answer is cut", () => {
  test('by the count and its possible error, if this leaves at least half of the likely room', async () => {
    expect(await roomBeside(6_000)).toBe(WINDOW - 6_032 - 900);
  });

  test('to half of the likely room, if the possible error would leave less [MSG-44]', async () => {
    expect(await roomBeside(8_600)).toBe((WINDOW - 8_632) / 2);
    expect(await roomBeside(9_500)).toBe((WINDOW - 9_532) / 2);
  });

  test('by the estimate, if the prompt cannot be counted', async () => {
    expect(await roomBeside(undefined)).toBeWithin(300, 1_500);
  });
});

test('leaves a prompt without likely room to the upstream, and refuses one that surely exceeds the window [ERR-16]', async () => {
  expect(await roomBeside(10_500)).toBe(4_000);
  expect(await roomBeside(12_000)).toMatchObject({ code: 'context_length_exceeded' });
});
