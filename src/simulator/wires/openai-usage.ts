import type { SimulatorReply, SimulatorUsage } from '../model/reply.ts';

/**
 * Returns usage as chat completions report it. Prompt tokens include cached tokens, and completion tokens
 * include reasoning tokens.
 */
export const chatUsage = ({ input, cacheRead, output, thinking }: SimulatorUsage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: thinking,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

/** Returns usage as completions report it. */
export const completionUsage = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** Returns the usage of an answer with its compaction, which the vendor counts together. */
export const wholeUsage = ({ usage, summary }: SimulatorReply): SimulatorUsage =>
  summary
    ? {
        ...usage,
        input: usage.input + summary.usage.input,
        cacheRead: usage.cacheRead + summary.usage.cacheRead,
        output: usage.output + summary.usage.output,
      }
    : usage;

/** Returns usage as responses report it. */
export const responsesUsage = ({ input, cacheRead, output, thinking }: SimulatorUsage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: thinking },
  total_tokens: input + output,
});
