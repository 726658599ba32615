import type { SimulatorReply, SimulatorUsage } from '../model/reply.ts';

/** Converts usage. Prompt tokens include cached tokens, and completion tokens include reasoning tokens. */
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

export const completionUsage = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** The vendor counts a compaction with the answer. */
export const wholeUsage = ({ usage, summary }: SimulatorReply): SimulatorUsage =>
  summary
    ? {
        ...usage,
        input: usage.input + summary.usage.input,
        cacheRead: usage.cacheRead + summary.usage.cacheRead,
        output: usage.output + summary.usage.output,
      }
    : usage;

export const responsesUsage = ({ input, cacheRead, output, thinking }: SimulatorUsage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: thinking },
  total_tokens: input + output,
});
