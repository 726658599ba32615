import { compactJson } from '../../../base/json/compact-json.ts';
import { listOf, objectOf, parseObject } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Frame } from '../../contract/frame.ts';

const frame = (type: string, fields: Fields): Frame => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

/**
 * Splits a whole message into the events that it would have been streamed as.
 * The opening event of a block may contain the whole block.
 */
export function splitAnswer(text: string): Frame[] {
  const message = parseObject(text);
  if (message.type === 'error' || isObject(message.error)) return [frame('error', { error: message.error })];
  const { content, stop_reason, stop_sequence, usage, ...head } = message;
  if (content !== null && !Array.isArray(content)) throw new SyntaxError('the message has no content');
  const blocks = elementsOf(sliceJson(text, ['content']) ?? '[]');
  return [
    frame('message_start', { message: { ...head, content: [], stop_reason: null, stop_sequence: null } }),
    ...listOf(content).flatMap((block, index) => explodeBlock(objectOf(block), index, blocks[index] ?? '{}')),
    frame('message_delta', { delta: { stop_reason, stop_sequence }, usage }),
    frame('message_stop', {}),
  ];
}

function explodeBlock(block: Fields, index: number, text: string): Frame[] {
  const stop = frame('content_block_stop', { index });
  if (block.type !== 'tool_use') return [frame('content_block_start', { index, content_block: block }), stop];
  // The sender's own text of the input, since parsing would round large numbers.
  const input = sliceJson(text, ['input']);
  const delta = {
    type: 'input_json_delta',
    partial_json: input?.startsWith('{') ? compactJson(input) : '{}',
  };
  return [
    frame('content_block_start', { index, content_block: { ...block, input: {} } }),
    frame('content_block_delta', { index, delta }),
    stop,
  ];
}
