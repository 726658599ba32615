import type { CountingWire } from './counting-upstream.ts';

/** Usage in each wire's form. Counts are JSON texts, so that they can be invalid. */
export const reportsOn: Record<CountingWire, (input: string, output: string) => string> = {
  'openai-chat': (input, output) => `{"prompt_tokens":${input},"completion_tokens":${output}}`,
  'openai-completions': (input, output) => `{"prompt_tokens":${input},"completion_tokens":${output}}`,
  'anthropic-messages': (input, output) => `{"input_tokens":${input},"output_tokens":${output}}`,
  'openai-responses': (input, output) => `{"input_tokens":${input},"output_tokens":${output}}`,
  'google-generate': (input, output) => `{"promptTokenCount":${input},"candidatesTokenCount":${output}}`,
  'google-interactions': (input, output) => `{"total_input_tokens":${input},"total_output_tokens":${output}}`,
  'bedrock-converse': (input, output) => `{"inputTokens":${input},"outputTokens":${output}}`,
};
