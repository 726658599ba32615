import type { Framing } from './stream-event.ts';

const encoder = new TextEncoder();

export const SSE_FRAMING: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  encode: ({ name, data }) => encoder.encode(`${name ? `event: ${name}\n` : ''}data: ${data}\n\n`),
  malformed: encoder.encode('data: {"simulated": "malformed\n\n'),
};
