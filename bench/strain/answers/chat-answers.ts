import type { WireAnswers } from './wire-answers.ts';

const identity = { id: 'x', created: 1_750_000_000, model: 'm' };
const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };

const formatChunk = (fields: object): string =>
  `data: ${JSON.stringify({ ...identity, object: 'chat.completion.chunk', ...fields })}\n\n`;

const formatDelta = (delta: object, finish_reason: 'stop' | null = null): string =>
  formatChunk({ choices: [{ index: 0, delta, finish_reason }] });

export const chatAnswers: WireAnswers = {
  whole: (content) => ({
    ...identity,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  }),
  stream: {
    begin: formatDelta({ role: 'assistant', content: '' }),
    delta: (content) => formatDelta({ content }),
    end: `${formatDelta({}, 'stop')}${formatChunk({ choices: [], usage })}data: [DONE]\n\n`,
  },
};
