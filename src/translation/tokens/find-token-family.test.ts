import { expect, test } from 'bun:test';
import { findTokenFamily } from './find-token-family.ts';
import { tokenFamilies } from './token-families.ts';

const names: Partial<Record<keyof typeof tokenFamilies, string[]>> = {
  anthropic: ['claude-sonnet-4-5', 'anthropic.claude-3-haiku-20240307-v1:0'],
  google: ['gemini-2.5-flash', 'google/gemma-3'],
  openaiCl100k: ['gpt-3.5-turbo', 'gpt-35-turbo', 'gpt-4', 'gpt-4-0613', 'text-embedding-3-large'],
  gpt4oMini: ['gpt-4o-mini', 'openai/gpt-4o-mini'],
  openaiMini: ['gpt-4.1-mini', 'gpt-5-mini'],
  openaiNano: ['gpt-4.1-nano', 'gpt-5-nano'],
  o4Mini: ['o4-mini', 'openai/o4-mini', 'openai.o4-mini', 'azure:o4-mini'],
  gptOss: ['openai/gpt-oss-120b'],
  openai: ['gpt-4o', 'gpt-4.1', 'openai/gpt-5', 'chatgpt-4o-latest', 'codex-mini', 'o1', 'o3-mini'],
  likeOpenai: ['biogpt-4', 'gpt-41', 'o7', 'openai.o7', 'openai/o7-mini'],
  openWeights: [
    'llama-3.3-70b',
    'qwen3-coder',
    'deepseek-chat',
    'mistral-large',
    'grok-4',
    'amazon.nova-pro',
    'AIDC-AI/Marco-o1',
  ],
  unknown: ['anything', 'mytext-embedding-3-large', 'photo3'],
};

test.each(Object.entries(names))('knows the names of the family %s', (family, models) => {
  for (const upstreamModel of models)
    expect({ upstreamModel, ...findTokenFamily({ upstreamModel, isSimulated: false }) }).toEqual({
      upstreamModel,
      ...tokenFamilies[family as keyof typeof tokenFamilies],
    });
});

test("counts a simulated model by the simulator's rules", () => {
  const { isExact, vocabulary } = findTokenFamily({ upstreamModel: 'claude-x', isSimulated: true });
  expect({ isExact, vocabulary }).toEqual({ isExact: true, vocabulary: 'p50k' });
});
