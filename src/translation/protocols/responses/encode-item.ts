import type { OutputPart, RefusalPart, TextPart, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import { encodeCitation } from './citation.ts';
import { packRedacted, packThinking } from './encrypted-content.ts';
import type { View } from './view.ts';

/** An item of the output, in the vendor's form. */
type EncodedItem = Readonly<Record<string, unknown>>;
type EncodedContent = Readonly<Record<string, unknown>>;

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';
export type MessagePart = TextPart | RefusalPart;

/** An item's id and status, and the parts of it that the client gets. */
type ItemPlace = { id: string; status: ItemStatus; view: View };

export const isMessagePart = (part: { kind: string }): part is MessagePart =>
  part.kind === 'text' || part.kind === 'refusal';

/** Encodes an item of one part, or a message of several texts and refusals. */
export function encodeItem(parts: readonly [OutputPart, ...OutputPart[]], place: ItemPlace): EncodedItem {
  const [part] = parts;
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return encodeMessage(parts.filter(isMessagePart), place);
    case 'thinking':
      return encodeThinking(part, place);
    case 'redacted-thinking':
      return reasoningItem(place, { encrypted_content: packRedacted(part.replay) });
    case 'tool-call':
      return encodeCall(part, place);
    case 'opaque':
      return part.block as EncodedItem;
  }
}

const encodeMessage = (parts: readonly MessagePart[], { id, status }: ItemPlace): EncodedItem => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content: status === 'in_progress' ? [] : parts.map(encodeContent),
});

/** Encodes one part of a finished message. */
export function encodeContent(part: MessagePart): EncodedContent {
  if (part.kind === 'refusal') return { type: 'refusal', refusal: part.text };
  const annotations = (part.citations ?? []).map((citation) => encodeCitation(citation, part.text.length));
  return {
    type: 'output_text',
    text: part.text,
    annotations: annotations.filter((annotation) => annotation !== undefined),
    logprobs: [],
  };
}

/** Returns the list of the reasoning item that shows the thinking. Returns undefined if it is hidden. */
export function thinkingList(form: ThinkingPart['form'], view: View): 'summary' | 'content' | undefined {
  if (!view.showsThinking) return undefined;
  return form === 'summary' || view.asSummary ? 'summary' : 'content';
}

function encodeThinking(part: ThinkingPart, place: ItemPlace): EncodedItem {
  const list = part.text === '' ? undefined : thinkingList(part.form, place.view);
  return reasoningItem(place, {
    ...(list === 'summary' && { summary: [{ type: 'summary_text', text: part.text }] }),
    ...(list === 'content' && { content: [{ type: 'reasoning_text', text: part.text }] }),
    ...(part.replay && { encrypted_content: packThinking(part.replay) }),
  });
}

const reasoningItem = ({ id, status }: ItemPlace, fields: EncodedItem): EncodedItem => ({
  id,
  type: 'reasoning',
  status,
  summary: [],
  ...fields,
});

/** Encodes a call. Its status is `completed` even if the answer was cut, since clients accept no other. */
function encodeCall(call: ToolCallPart, { id, status }: ItemPlace): EncodedItem {
  const { callId, name, namespace, input } = call;
  const isOpen = status === 'in_progress';
  const text = isOpen ? input.text : input.text + emptyArgumentsText(call);
  return {
    id,
    type: input.kind === 'freeform' ? 'custom_tool_call' : 'function_call',
    status: isOpen ? status : 'completed',
    call_id: callId,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(input.kind === 'freeform' ? { input: text } : { arguments: text }),
  };
}

/** Returns `{}` for JSON arguments that are empty, which clients could not parse. */
export const emptyArgumentsText = ({ input }: ToolCallPart): string =>
  input.kind === 'json' && input.text.trim() === '' ? '{}' : '';
