import { patchPart } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { reasoningFields, THINKING_ITEM } from './reasoning-fields.ts';

/** Makes a developer's message a system message. */
export const asSystem = (message: string): string =>
  sliceJson(message, ['role']) === '"developer"' ? patchPart(message, { role: '"system"' }) : message;

/** Adds the thinking of an assistant's turn, which is empty if the client did not return it. */
export function withReasoning(message: string): string {
  if (sliceJson(message, ['role']) !== '"assistant"') return message;
  const sent = sliceJson(message, ['reasoning_content']);
  if (sent !== undefined && sent !== 'null') return message;
  const sentAsReasoning = sliceJson(message, ['reasoning']);
  return patchPart(message, {
    reasoning_content: sentAsReasoning?.startsWith('"') ? sentAsReasoning : '""',
  });
}

/** Moves the thinking of a turn into its content, the only place where such a host takes it. */
export function withThinkingInContent(message: string): string {
  if (!message.includes('"reasoning')) return message;
  const fields = objectOf(JSON.parse(message));
  const names = reasoningFields.filter((name) => name in fields);
  if (names.length === 0) return message;
  const text = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  const { content } = fields;
  const items =
    typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : listOf(content);
  const thinking = { type: THINKING_ITEM, thinking: [{ type: 'text', text }] };
  return patchPart(message, {
    ...Object.fromEntries(names.map((name) => [name, null])),
    ...(text !== undefined && { content: JSON.stringify([thinking, ...items]) }),
  });
}
