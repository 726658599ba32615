import type { Part, RedactedThinkingPart, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import type { EncodeSituation } from '../../encoding/encode-situation.ts';
import { formatSignature } from './call-signature.ts';
import type { HostMessage } from './host-message.ts';
import { isOpenaiModel } from './is-openai-model.ts';
import { joinTexts } from './join-texts.ts';
import { PROTOCOL } from './protocol.ts';
import { formatRedacted } from './reasoning-details.ts';
import { isReasoningPlace, type ReasoningField, THINKING_ITEM } from './reasoning-fields.ts';

/** The kinds of parts that an assistant turn can hold on this wire. */
const ENCODABLE: ReadonlySet<Part['kind']> = new Set<Part['kind']>([
  'text',
  'refusal',
  'tool-call',
  'thinking',
  'redacted-thinking',
]);

/** Encodes an assistant turn as one message, or as none if nothing of the turn remains. */
export function encodeAssistant(parts: readonly Part[], situation: EncodeSituation): HostMessage[] {
  const calls = parts.filter((part) => part.kind === 'tool-call');
  const text = joinTexts(parts, 'text');
  const refusal = joinTexts(parts, 'refusal');
  const { item, fields } = encodeThoughts(parts, situation);
  noteLosses(parts, situation);
  const hasContent = text !== '' || refusal !== '' || calls.length > 0;
  if (!hasContent && item === undefined && Object.keys(fields).length === 0) return [];
  const plain = text === '' && (calls.length > 0 || refusal !== '') ? null : text;
  return [
    {
      role: 'assistant',
      content: item ? [item, ...(text === '' ? [] : [{ type: 'text', text }])] : plain,
      ...fields,
      ...(refusal !== '' && { refusal }),
      ...(calls.length > 0 && { tool_calls: calls.map((call) => encodeCall(call, situation)) }),
    },
  ];
}

function noteLosses(parts: readonly Part[], { notes }: EncodeSituation): void {
  if (!parts.every(({ kind }) => ENCODABLE.has(kind))) notes.lose('opaque-block');
  if (parts.some((part) => part.kind === 'text' && part.citations)) notes.lose('citation');
  if (parts.some((part) => 'cache' in part && part.cache)) notes.lose('cache-breakpoint');
}

function encodeCall({ callId, name, input, replay }: ToolCallPart, { notes }: EncodeSituation): object {
  if (replay && replay.issuer !== PROTOCOL) notes.lose('replay-token');
  return {
    id: callId,
    type: 'function',
    function: { name, arguments: input.text || '{}' },
    ...(replay?.issuer === PROTOCOL && formatSignature(replay)),
  };
}

/** The thoughts of a turn: an item of the content, or fields of the message. */
type Thoughts = {
  item?: object;
  fields: Partial<Record<ReasoningField, string>> & { reasoning_details?: object[] };
};

/**
 * Returns the thoughts that came from hosts of this protocol, in the field where they stood.
 * Many hosts refuse an unknown field.
 */
function encodeThoughts(parts: readonly Part[], situation: EncodeSituation): Thoughts {
  const thoughts: Thoughts = { fields: {} };
  for (const part of parts) {
    if (part.kind === 'thinking') addThought(thoughts, part, situation);
    if (part.kind === 'redacted-thinking') addRedacted(thoughts, part, situation);
  }
  return thoughts;
}

function addThought(thoughts: Thoughts, part: ThinkingPart, { target, notes }: EncodeSituation): void {
  const { text, replay } = part;
  if (replay && replay.issuer !== PROTOCOL) notes.lose('replay-token');
  const place = replay?.issuer === PROTOCOL && isReasoningPlace(replay.data) ? replay.data : undefined;
  const isForeign = !target.reasoning || isOpenaiModel(target.upstreamModel);
  if (place === undefined || isForeign) notes.lose('thinking-block');
  else if (place === THINKING_ITEM) thoughts.item = { type: 'thinking', thinking: [{ type: 'text', text }] };
  else thoughts.fields[place] = `${thoughts.fields[place] ?? ''}${text}`;
}

function addRedacted(
  { fields }: Thoughts,
  { replay }: RedactedThinkingPart,
  { target, notes }: EncodeSituation,
): void {
  if (replay.issuer !== PROTOCOL || !target.reasoning) notes.lose('replay-token');
  else {
    fields.reasoning_details ??= [];
    fields.reasoning_details.push(formatRedacted(replay));
  }
}
