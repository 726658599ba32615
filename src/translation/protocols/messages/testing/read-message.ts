import type { Frame } from '../../../contract/frame.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON as a client reads it
type Json = any;

/** Accumulates a stream as the official client does. Throws if an event is out of place. */
export function readMessage(frames: readonly Frame[]): Json {
  let message: Json;
  let open: { index: number; json: string } | undefined;
  for (const { event: name, data } of frames) {
    const event = JSON.parse(data);
    if (name !== event.type) throw new Error('the event line and the data have different types');
    if (event.type !== 'message_start' && message === undefined) throw new Error('no message_start');
    switch (event.type) {
      case 'message_start':
        if (message) throw new Error('a second message_start');
        message = { ...event.message, content: [] };
        break;
      case 'content_block_start':
        if (open || event.index !== message.content.length) throw new Error('blocks out of order');
        open = { index: event.index, json: '' };
        message.content.push({ ...event.content_block });
        break;
      case 'content_block_delta':
        if (event.index !== open?.index) throw new Error('a delta for a block that is not open');
        open!.json += event.delta.partial_json ?? '';
        grow(message.content[event.index], event.delta);
        break;
      case 'content_block_stop': {
        if (event.index !== open?.index) throw new Error('a stop for a block that is not open');
        if (open!.json) message.content[event.index].input = JSON.parse(open!.json);
        open = undefined;
        break;
      }
      case 'message_delta':
        Object.assign(message, event.delta);
        Object.assign(message.usage, event.usage);
        break;
      case 'message_stop':
        if (open) throw new Error('a block was left open');
    }
  }
  return message;
}

function grow(block: Json, delta: Json): void {
  const kinds: Record<string, string> = {
    text_delta: 'text',
    thinking_delta: 'thinking',
    signature_delta: 'thinking',
    citations_delta: 'text',
    input_json_delta: 'tool_use',
  };
  if (kinds[delta.type] !== block.type) throw new Error(`a ${delta.type} in a ${block.type} block`);
  if (delta.text !== undefined) block.text += delta.text;
  if (delta.thinking !== undefined) block.thinking += delta.thinking;
  if (delta.signature !== undefined) block.signature = delta.signature;
  if (delta.citation !== undefined) block.citations = [...(block.citations ?? []), delta.citation];
}
