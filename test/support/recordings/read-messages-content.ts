import type { Json } from '../call.ts';
import { type AnswerContent, emptyContent, textInput, valueInput } from './answer-content.ts';

/** Reads Messages: events, or one message. */
export function readMessagesContent(objects: readonly Json[]): AnswerContent {
  const answer = emptyContent();
  const isStream = objects[0].type !== 'message';
  const { blocks, usage } = isStream
    ? blocksOf(objects)
    : { blocks: objects[0].content, usage: objects[0].usage };
  for (const block of blocks) readBlock(answer, block, { isStream });
  const input =
    usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  answer.usage = { input, output: usage.output_tokens };
  return answer;
}

const SPOKEN = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);

function readBlock(answer: AnswerContent, block: Json, { isStream }: { isStream: boolean }): void {
  if (block.type === 'text') answer.text += block.text;
  if (block.type === 'thinking') answer.thinking += block.thinking;
  if (block.type === 'thinking' && block.signature) answer.tokens.push(block.signature);
  if (block.type === 'redacted_thinking') answer.tokens.push(block.data);
  if (!SPOKEN.has(block.type)) answer.opaque.push(block.type);
  if (block.type === 'tool_use')
    answer.calls.push({
      id: block.id,
      name: block.name,
      input: isStream && block.json ? textInput(block.json) : valueInput(block.input),
      isFreeform: false,
    });
}

/** Returns the first message of a stream. Output of the vendor's tools may follow as further messages. */
function blocksOf(events: readonly Json[]): { blocks: Json[]; usage: Json } {
  const blocks: Json[] = [];
  const usage: Json = {};
  for (const { type, index, message, content_block, delta = {}, ...event } of events) {
    if (type === 'message_stop') break;
    // The last count then leaves out the compaction.
    const isCompacted = event.usage?.iterations !== undefined;
    for (const [name, count] of Object.entries({ ...message?.usage, ...event.usage }))
      if (typeof count === 'number') usage[name] = isCompacted ? Math.max(count, usage[name] ?? 0) : count;
    // A start can carry blocks, or the whole answer.
    if (type === 'message_start')
      for (const block of message.content ?? []) blocks.push({ json: '', ...block });
    if (type === 'content_block_start')
      blocks[index] = { text: '', thinking: '', json: '', ...content_block };
    if (type !== 'content_block_delta') continue;
    const block = blocks[index];
    block.text += delta.text ?? '';
    block.thinking += delta.thinking ?? '';
    block.json += delta.partial_json ?? '';
    if (delta.signature) block.signature = delta.signature;
  }
  return { blocks, usage };
}

/** Joins a stream into its message, with the content as a client without a library would send it back. */
export function joinMessage(events: readonly Json[]): Json {
  const { blocks, usage } = blocksOf(events);
  const content = blocks.map(({ text, thinking, json, ...block }) => ({
    ...block,
    ...(block.type === 'text' && { text }),
    ...(block.type === 'thinking' && { thinking }),
    ...(json !== '' && { input: JSON.parse(json) }),
  }));
  return { content, usage };
}
