import type { Json } from './call.ts';
import { type BodyAnswer, streamed } from './recording-upstream.ts';

/** Makes a chat answer of one word that reports this usage, whole or streamed. */
export const answerWithUsage =
  (input: number, output: number, { cached = 0, reasoning = 0 } = {}): BodyAnswer =>
  ({ body: { model, stream } }) => {
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    };
    const content = output === 0 ? '' : 'one'; // the charge is at least the sent text
    const base = { id: 'x', created: 1_750_000_000, model };
    const chunk = (choices: Json[], rest = {}) =>
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...rest })}\n\n`;
    if (!stream) {
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
      return Response.json({ ...base, object: 'chat.completion', choices, usage });
    }
    const delta = { index: 0, delta: { role: 'assistant', content }, finish_reason: null };
    const end = { index: 0, delta: {}, finish_reason: 'stop' };
    return streamed(`${chunk([delta])}${chunk([end])}${chunk([], { usage })}data: [DONE]\n\n`);
  };
