import type { Usage } from '../../canonical/usage.ts';

type ChatUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
};

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0);

/** Here the prompt's count includes what was cached, and the completion's includes the reasoning. */
export function decodeChatUsage(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } =
    value as ChatUsage;
  if (typeof prompt_tokens !== 'number') return undefined;
  const input = count(prompt_tokens);
  const output = count(completion_tokens);
  const cacheRead = Math.min(count(prompt_tokens_details?.cached_tokens), input);
  const thinking = Math.min(count(completion_tokens_details?.reasoning_tokens), output);
  return {
    input: { uncached: input - cacheRead, cacheRead },
    output: { visible: output - thinking, thinking },
  };
}
