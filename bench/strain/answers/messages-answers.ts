import type { WireAnswers } from './wire-answers.ts';

const message = { id: 'x', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const usage = { input_tokens: 10, output_tokens: 1 };

const formatEvent = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

export const messagesAnswers: WireAnswers = {
  whole: (text) => ({ ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage }),
  stream: {
    begin: [
      formatEvent('message_start', { message: { ...message, content: [], stop_reason: null, usage } }),
      formatEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ].join(''),
    delta: (text) => formatEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    end: [
      formatEvent('content_block_stop', { index: 0 }),
      formatEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
      formatEvent('message_stop'),
    ].join(''),
  },
};
