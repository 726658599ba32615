import type { Json } from '../call.ts';

const formatEvent = (event: Json): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Writes the whole message as a stream, which reports its usage at the end. */
export function messageStream({ content, stop_reason, usage, ...rest }: Json): string {
  const start = {
    ...rest,
    content: [],
    stop_reason: null,
    usage: { ...usage, iterations: null, output_tokens: 1 },
  };
  const [{ text }] = content;
  return [
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
    .map(formatEvent)
    .join('');
}
