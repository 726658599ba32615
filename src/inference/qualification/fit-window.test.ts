import { describe, expect, test } from 'bun:test';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { CountedPrompt } from '../../translation/tokens/token-counter.ts';
import { tokenFamily } from '../../translation/tokens/token-family.ts';
import { fitWindow, type WindowedRequest } from './fit-window.ts';

const WINDOW = 10_000;
const counted = { upstreamModel: 'claude-x', isSimulated: false };
const entry = {
  model: { contextWindow: WINDOW, maxOutput: 4_000 },
  family: tokenFamily(counted),
  counted,
} as CatalogEntry;
const prompt = 'The harbour is cold, and the boats lie still. '.repeat(700);

async function roomBeside(sure: number, asked = 4_000) {
  const body = { text: prompt, members: new Map(), value: { input: prompt, max_tokens: asked } };
  const fitted = {
    exchange: { style: 'openai' },
    dialect: { ceilings: ['max_tokens'], codec: { decodeRequest: () => ({}) } },
    request: { body },
    entry,
    counter: { countPrompt: async (): Promise<CountedPrompt> => ({ sure, unsure: 0 }) },
  } as unknown as WindowedRequest;
  return (await fitWindow(fitted)) ?? fitted.request.outputRoom ?? entry.model.maxOutput;
}

describe("near the window's edge an answer is cut", () => {
  test('by the count and its possible error, if this leaves at least half of the likely room', async () => {
    expect(await roomBeside(6_000)).toBe(WINDOW - 6_032 - 900);
  });

  test('to half of the likely room, if the possible error would leave less [MSG-44]', async () => {
    expect(await roomBeside(8_600)).toBe((WINDOW - 8_632) / 2);
    expect(await roomBeside(9_500)).toBe((WINDOW - 9_532) / 2);
  });
});

test('leaves a prompt without likely room to the upstream, and refuses one that surely exceeds the window [ERR-16]', async () => {
  expect(await roomBeside(10_500)).toBe(4_000);
  expect(await roomBeside(12_000)).toMatchObject({ code: 'context_length_exceeded' });
});
