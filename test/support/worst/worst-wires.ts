import type { Json } from '../call.ts';
import type { WorstBill } from './worst-bill.ts';

const message = { id: 'hidden', type: 'message', role: 'assistant', model: 'hidden', stop_sequence: null };
const item = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'one', annotations: [] }],
};

const searchItem = (index: number) => ({
  id: `ws_${index}`,
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'one' },
});

type Wire = { path: RegExp; answer(bill: WorstBill, body: Json): Json };

export const worstWires = {
  'openai-chat': {
    path: /chat\/completions$/,
    answer: ({ input, output }, { n = 1 }) => ({
      id: 'hidden',
      created: 1,
      choices: Array.from({ length: n }, (_, index) => ({
        index,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'one' },
      })),
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        completion_tokens_details: { reasoning_tokens: output - 1 },
      },
    }),
  },
  'anthropic-messages': {
    path: /\/messages$/,
    answer: ({ input, output, otherWork, searches, isFast }) => ({
      ...message,
      content: [{ type: 'text', text: 'one' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: input,
        output_tokens: output,
        ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
        ...(isFast && { speed: 'fast' }),
        ...(otherWork.length > 0 && {
          iterations: [
            ...otherWork.map(({ input: read, output: written, ...one }) => ({
              ...one,
              input_tokens: read,
              output_tokens: written,
            })),
            { type: 'message', input_tokens: input, output_tokens: output },
          ],
        }),
      },
    }),
  },
  'openai-responses': {
    path: /\/responses$/,
    answer: ({ input, output, searches }) => ({
      id: 'resp_hidden',
      object: 'response',
      created_at: 1,
      model: 'hidden',
      status: 'completed',
      output: [...Array.from({ length: searches }, (_, index) => searchItem(index)), item],
      usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    }),
  },
  'google-generate': {
    path: /[gG]enerateContent$/,
    answer: ({ input, output }) => ({
      candidates: [{ content: { role: 'model', parts: [{ text: 'one' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output,
        totalTokenCount: input + output,
      },
    }),
  },
  'google-interactions': {
    path: /\/interactions$/,
    answer: ({ input, output }) => ({
      id: 'v1_hidden',
      object: 'interaction',
      status: 'completed',
      model: 'hidden',
      steps: [{ type: 'model_output', content: [{ type: 'text', text: 'one' }] }],
      usage: {
        total_input_tokens: input,
        total_output_tokens: output,
        total_tokens: input + output,
      },
    }),
  },
  'bedrock-converse': {
    path: /\/converse$/,
    answer: ({ input, output }) => ({
      output: { message: { role: 'assistant', content: [{ text: 'one' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
    }),
  },
} satisfies Record<string, Wire>;

export type WorstWire = keyof typeof worstWires;
