import type { Part, ToolResultPart } from '../../canonical/part.ts';
import type { CanonicalRequest, Turn } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import type { EncodeSituation } from '../../encoding/encode-situation.ts';
import { STAND_IN } from '../../encoding/stand-in.ts';
import { encodeAssistant } from './encode-assistant.ts';
import { type EncodablePart, encodeContent, isContent } from './encode-content.ts';
import type { HostMessage } from './host-message.ts';

/** The text of a result that holds only media, since a host may refuse an empty one. */
const MEDIA_FOLLOW = 'The result is attached to the next message.';

/** Encodes the conversation. System texts keep their position. */
export function encodeMessages(
  { system, turns }: CanonicalRequest,
  situation: EncodeSituation,
): HostMessage[] {
  const first: Turn[] = system.length > 0 ? [{ role: 'system', parts: system }] : [];
  const messages = [...first, ...turns].flatMap((turn) => encodeTurn(turn, situation));
  return messages.length > 0 ? messages : [{ role: 'user', content: STAND_IN }];
}

function encodeTurn({ role, parts }: Turn, situation: EncodeSituation): HostMessage[] {
  if (role === 'assistant') return encodeAssistant(parts, situation);
  if (role === 'user') return encodeUser(parts, situation.notes);
  const content = parts.filter(isContent);
  if (content.length < parts.length) situation.notes.lose('opaque-block');
  return messageOf('system', content, situation.notes);
}

function messageOf(
  role: 'system' | 'user',
  parts: readonly EncodablePart[],
  notes: EncodeNotes,
): HostMessage[] {
  const content = encodeContent(parts, notes);
  return content.length === 0 ? [] : [{ role, content }];
}

/**
 * Encodes a user turn. Results come first, since they must directly follow their calls. Their images and
 * files follow after the last result.
 */
function encodeUser(parts: readonly Part[], notes: EncodeNotes): HostMessage[] {
  const results = parts.filter((part) => part.kind === 'tool-result');
  const media = results.flatMap(({ content }) => content.filter(({ kind }) => kind !== 'text'));
  if (media.length > 0) notes.lose('tool-result-media');
  const contents = parts.filter(isContent);
  if (contents.length + results.length < parts.length) notes.lose('opaque-block');
  return [
    ...results.map((result) => encodeResult(result, notes)),
    ...messageOf('user', [...media, ...contents], notes),
  ];
}

function encodeResult(result: ToolResultPart, notes: EncodeNotes): HostMessage {
  const { callId, content, isError, cache } = result;
  if (isError) notes.lose('tool-error-flag');
  if (cache) notes.lose('cache-breakpoint');
  const texts = content.filter((part) => part.kind === 'text');
  const text = encodeContent(texts, notes);
  const isMediaOnly = text === '' && content.length > texts.length;
  return { role: 'tool', tool_call_id: callId, content: isMediaOnly ? MEDIA_FOLLOW : text };
}
