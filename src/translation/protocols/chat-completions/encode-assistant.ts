import type { Part, RedactedThinkingPart, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import { formatSignature } from './call-signature.ts';
import type { ChatMessageOut, EncodeSituation } from './encode-situation.ts';
import { isOpenaiModel } from './is-openai-model.ts';
import { PROTOCOL } from './protocol.ts';
import { formatRedacted } from './reasoning-details.ts';
import { isReasoningField, THINKING_ITEM } from './reasoning-fields.ts';

/** Encodes an assistant turn as one message, or as none if nothing of the turn remains. */
export function encodeAssistant(parts: readonly Part[], situation: EncodeSituation): ChatMessageOut[] {
  const { notes } = situation;
  const calls = parts.filter((part) => part.kind === 'tool-call');
  const text = textOf(parts, 'text');
  const refusal = textOf(parts, 'refusal');
  const { item, ...reasoning } = encodeThoughts(parts, situation);
  if (parts.some((part) => !(part.kind in SAYABLE))) notes.lose('opaque-block');
  if (parts.some((part) => part.kind === 'text' && part.citations)) notes.lose('citation');
  if (parts.some((part) => 'cache' in part && part.cache)) notes.lose('cache-breakpoint');
  const hasContent = text !== '' || refusal !== '' || calls.length > 0;
  if (!hasContent && item === undefined && Object.keys(reasoning).length === 0) return [];
  const plain = text === '' && (calls.length > 0 || refusal !== '') ? null : text;
  return [
    {
      role: 'assistant',
      content: item ? [item, ...(text === '' ? [] : [{ type: 'text', text }])] : plain,
      ...reasoning,
      ...(refusal !== '' && { refusal }),
      ...(calls.length > 0 && { tool_calls: calls.map((call) => encodeCall(call, situation)) }),
    },
  ];
}

/** The parts that an assistant turn can hold on this wire. */
const SAYABLE = { text: true, refusal: true, 'tool-call': true, thinking: true, 'redacted-thinking': true };

const textOf = (parts: readonly Part[], kind: 'text' | 'refusal'): string =>
  parts.map((part) => (part.kind === kind ? part.text : '')).join('');

function encodeCall({ callId, name, input, replay }: ToolCallPart, { notes }: EncodeSituation): object {
  if (replay && replay.issuer !== PROTOCOL) notes.lose('replay-token');
  return {
    id: callId,
    type: 'function',
    function: { name, arguments: input.text || '{}' },
    ...(replay?.issuer === PROTOCOL && formatSignature(replay)),
  };
}

type Thoughts = { item?: object; reasoning_details?: object[]; [field: string]: unknown };

/**
 * Returns the thoughts that came from hosts of this protocol, in the field where they stood.
 * Many hosts refuse an unknown field.
 */
function encodeThoughts(parts: readonly Part[], situation: EncodeSituation): Thoughts {
  const thoughts: Thoughts = {};
  for (const part of parts) {
    if (part.kind === 'thinking') addThought(thoughts, part, situation);
    if (part.kind === 'redacted-thinking') addRedacted(thoughts, part, situation);
  }
  return thoughts;
}

function addThought(thoughts: Thoughts, part: ThinkingPart, { target, notes }: EncodeSituation): void {
  const { text, replay } = part;
  if (replay && replay.issuer !== PROTOCOL) notes.lose('replay-token');
  const field = replay?.issuer === PROTOCOL && isReasoningField(replay.data) ? replay.data : undefined;
  const isForeign = !target.reasoning || isOpenaiModel(target.upstreamModel);
  if (field === undefined || isForeign) notes.lose('thinking-block');
  else if (field === THINKING_ITEM) thoughts.item = { type: 'thinking', thinking: [{ type: 'text', text }] };
  else thoughts[field] = `${(thoughts[field] as string | undefined) ?? ''}${text}`;
}

function addRedacted(
  thoughts: Thoughts,
  { replay }: RedactedThinkingPart,
  { target, notes }: EncodeSituation,
): void {
  if (replay.issuer !== PROTOCOL || !target.reasoning) notes.lose('replay-token');
  else thoughts.reasoning_details = [...(thoughts.reasoning_details ?? []), formatRedacted(replay)];
}
