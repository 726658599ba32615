import { inputTotal, type Usage } from '../../canonical/usage.ts';

/** Encodes usage. The input includes cached tokens, and thoughts are not part of the output. */
export function encodeUsage(usage: Usage | undefined): Record<string, number> {
  const input = usage ? inputTotal(usage) : 0;
  const { cacheRead = 0 } = usage?.input ?? {};
  const { visible, thinking = 0 } = usage?.output ?? { visible: 0 };
  return {
    total_input_tokens: input,
    total_cached_tokens: cacheRead,
    total_output_tokens: visible,
    total_tool_use_tokens: 0,
    total_thought_tokens: thinking,
    total_tokens: input + visible + thinking,
  };
}
