import { createHash } from 'node:crypto';
import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type {
  AudioPart,
  OpaquePart,
  Part,
  RedactedThinkingPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
} from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import type { EncodeSituation } from '../../encoding/encode-situation.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import type { Unit } from '../../encoding/join-turns.ts';
import { refuseMedia } from '../../encoding/refuse-media.ts';
import { EMPTY_RESULT } from '../../encoding/stand-in.ts';
import type { Block } from './block.ts';
import { encodeCache } from './cache-control.ts';
import { encodeDocument, encodeImage } from './encode-media.ts';

const PLAIN = /^[a-zA-Z0-9_-]+$/;

/** Replaces characters that this vendor refuses in call ids. A hash keeps different ids distinct. */
function encodeCallId(callId: string): string {
  if (PLAIN.test(callId)) return callId;
  const hash = createHash('sha256').update(callId).digest('base64url').slice(0, 10);
  return `${callId.replace(/[^a-zA-Z0-9_-]/g, '_')}_${hash}`;
}

const encoders: KindTable<Part, [situation: EncodeSituation], Block[]> = {
  text: (part, { notes }) => encodeText(part, notes),
  refusal: ({ text }) => (isBlank(text) ? [] : [{ type: 'text', text }]),
  image: (part, { notes }) => [encodeImage(part, notes)],
  document: (part) => [encodeDocument(part)],
  audio: refuseAudio,
  thinking: encodeThinking,
  'redacted-thinking': encodeRedacted,
  'tool-call': encodeCall,
  'tool-result': (part, { notes }) => [encodeToolResult(part, notes)],
  opaque: encodeOpaque,
};

/** Encodes a part of a turn, and names the call that it answers. */
export function encodeRequestPart(part: Part, situation: EncodeSituation): Unit<Block> {
  const blocks = handlerOf(encoders, part)(part, situation);
  return part.kind === 'tool-result' ? { blocks, answers: part.callId } : { blocks };
}

/** Returns true for blank texts, which the vendor refuses. */
const isBlank = (text: string): boolean => text.trim() === '';

/** Encodes a text with the vendor's own citations. A blank text has no block. */
export function encodeText({ text, citations = [], cache }: TextPart, notes: EncodeNotes): Block[] {
  if (isBlank(text)) return [];
  const ownCitations = citations.filter(({ issuer }) => issuer === 'messages').map(({ raw }) => raw);
  if (ownCitations.length < citations.length) notes.lose('citation');
  return [
    {
      type: 'text',
      text,
      ...(ownCitations.length > 0 && { citations: ownCitations }),
      ...encodeCache(cache),
    },
  ];
}

/** Encodes thinking that has the vendor's own signature. The vendor refuses any other. */
function encodeThinking({ text, replay }: ThinkingPart, { target, notes }: EncodeSituation): Block[] {
  if (target.reasoning && replay?.issuer === 'messages')
    return [{ type: 'thinking', thinking: text, signature: replay.data }];
  if (text !== '') notes.lose('thinking-block');
  if (replay !== undefined) notes.lose('replay-token');
  return [];
}

function encodeRedacted({ replay }: RedactedThinkingPart, { target, notes }: EncodeSituation): Block[] {
  if (target.reasoning && replay.issuer === 'messages')
    return [{ type: 'redacted_thinking', data: replay.data }];
  notes.lose('replay-token');
  return [];
}

function encodeCall(
  { callId, name, input, replay, cache }: ToolCallPart,
  { notes }: EncodeSituation,
): Block[] {
  if (replay !== undefined) notes.lose('replay-token');
  return [
    {
      type: 'tool_use',
      id: encodeCallId(callId),
      name,
      input: new RawJson(objectInput(input)),
      ...encodeCache(cache),
    },
  ];
}

function encodeOpaque({ issuer, block }: OpaquePart, { notes }: EncodeSituation): Block[] {
  if (issuer === 'messages') return [block as Block];
  notes.lose('opaque-block');
  return [];
}

function refuseAudio({ source }: AudioPart, { notes }: EncodeSituation): Block[] {
  const problem = 'the chosen model does not accept audio';
  refuseMedia(notes, source, { problem, code: 'route_not_qualified' });
  return [];
}

function encodeToolResult({ callId, content, isError, cache }: ToolResultPart, notes: EncodeNotes): Block {
  const encoded = content.flatMap((part) => encodeResultContent(part, notes));
  // The vendor refuses an error without content.
  const blocks = isError && encoded.length === 0 ? [{ type: 'text', text: EMPTY_RESULT }] : encoded;
  return {
    type: 'tool_result',
    tool_use_id: encodeCallId(callId),
    ...(blocks.length > 0 && { content: blocks }),
    ...(isError && { is_error: true }),
    ...encodeCache(cache),
  };
}

function encodeResultContent(part: ToolResultContent, notes: EncodeNotes): Block[] {
  if (part.kind === 'text') return encodeText(part, notes);
  return [part.kind === 'image' ? encodeImage(part, notes) : encodeDocument(part)];
}
