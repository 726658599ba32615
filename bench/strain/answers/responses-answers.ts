import type { WireAnswers } from './wire-answers.ts';

export const responsesAnswers: WireAnswers = {
  whole: (text) => ({
    id: 'x',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    error: null,
    output: [
      {
        type: 'message',
        id: 'y',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: { input_tokens: 10, output_tokens: 1, total_tokens: 11 },
  }),
  stream: null,
};
