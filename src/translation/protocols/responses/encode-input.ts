import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type {
  OpaquePart,
  Part,
  RedactedThinkingPart,
  RefusalPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
} from '../../canonical/part.ts';
import type { CanonicalRequest, Turn } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { STAND_IN } from '../../encoding/stand-in.ts';
import { encodeInputContent, isInputContent } from './encode-content.ts';

type InputContext = {
  role: Turn['role'];
  keepsThinking: boolean;
  /** Numbers the messages in the full form. */
  ids: { next: number };
  notes: EncodeNotes;
};

/** The encoders of parts that become items. Other parts of users and systems are contents of a message. */
const encoders: KindTable<Part, [context: InputContext], unknown[]> = {
  text: encodeAnswer,
  refusal: encodeRefusal,
  image: loseMedia,
  document: loseMedia,
  audio: loseMedia,
  thinking: encodeThinking,
  'redacted-thinking': encodeRedacted,
  'tool-call': encodeCall,
  'tool-result': encodeResult,
  opaque: encodeOpaque,
};

const NOTHING_SAID = { type: 'message', role: 'user', content: [{ type: 'input_text', text: STAND_IN }] };

/** Encodes the conversation as items, in order. */
export function encodeInput(
  { turns }: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): unknown[] {
  const context = { keepsThinking: target.reasoning, ids: { next: 0 }, notes };
  const items = turns.flatMap((turn) => encodeTurn(turn, { ...context, role: turn.role }));
  return items.length > 0 ? items : [NOTHING_SAID];
}

function encodeTurn({ parts }: Turn, context: InputContext): unknown[] {
  const items: unknown[] = [];
  let content: unknown[] = [];
  const closeMessage = () => {
    if (content.length > 0) items.push({ type: 'message', role: context.role, content });
    content = [];
  };
  for (const part of parts) {
    if (context.role !== 'assistant' && isInputContent(part)) {
      content.push(encodeInputContent(part, context.notes));
      continue;
    }
    closeMessage();
    items.push(...handlerOf(encoders, part)(part, context));
  }
  closeMessage();
  return items;
}

/** Drops a part for which assistant turns have no place. */
function loseMedia(_part: Part, { notes }: InputContext): unknown[] {
  notes.lose('opaque-block');
  return [];
}

/**
 * Encodes an assistant's text in the short form, which every host accepts. Citations of this protocol need
 * the full form, which also needs an id.
 */
function encodeAnswer({ text, citations = [], cache }: TextPart, context: InputContext): unknown[] {
  const { role, notes } = context;
  if (cache) notes.lose('cache-breakpoint');
  const annotations = citations.filter(({ issuer }) => issuer === 'responses').map(({ raw }) => raw);
  if (annotations.length < citations.length) notes.lose('citation');
  if (annotations.length === 0) return [{ type: 'message', role, content: text }];
  return [outputMessage({ type: 'output_text', text, annotations }, context)];
}

function encodeRefusal({ text }: RefusalPart, context: InputContext): unknown[] {
  return [outputMessage({ type: 'refusal', refusal: text }, context)];
}

/**
 * Builds a message in the full form.
 * The vendor never looks up its id, but the id is required and must be unique.
 */
const outputMessage = (content: object, { ids }: InputContext) => ({
  type: 'message',
  id: `msg_${ids.next++}`,
  status: 'completed',
  role: 'assistant',
  content: [content],
});

/** Encodes thinking that this protocol's vendor encrypted. Its hosts cannot read any other. */
function encodeThinking(
  { text, form, replay }: ThinkingPart,
  { keepsThinking, notes }: InputContext,
): unknown[] {
  if (replay?.issuer !== 'responses' || !keepsThinking) {
    if (replay) notes.lose('replay-token');
    if (text !== '') notes.lose('thinking-block');
    return [];
  }
  return [
    {
      type: 'reasoning',
      ...(replay.itemId !== undefined && { id: replay.itemId }),
      summary: text !== '' && form === 'summary' ? [{ type: 'summary_text', text }] : [],
      ...(text !== '' && form === 'full' && { content: [{ type: 'reasoning_text', text }] }),
      encrypted_content: replay.data,
    },
  ];
}

function encodeRedacted({ replay }: RedactedThinkingPart, context: InputContext): unknown[] {
  return encodeThinking({ kind: 'thinking', form: 'summary', text: '', replay }, context);
}

function encodeOpaque({ issuer, block }: OpaquePart, { notes }: InputContext): unknown[] {
  if (issuer === 'responses') return [block];
  notes.lose('opaque-block');
  return [];
}

function encodeCall(
  { callId, itemId, name, namespace, input, cache }: ToolCallPart,
  { notes }: InputContext,
) {
  if (cache) notes.lose('cache-breakpoint');
  const call = {
    ...(itemId !== undefined && { id: itemId }),
    call_id: callId,
    name,
    ...(namespace !== undefined && { namespace }),
  };
  if (input.kind === 'freeform') return [{ type: 'custom_tool_call', ...call, input: input.text }];
  return [{ type: 'function_call', ...call, arguments: input.text.trim() === '' ? '{}' : input.text }];
}

/** Encodes a result. A single text is sent as a string, since some hosts accept no list. */
function encodeResult(
  { callId, content, isFreeform, isError, cache }: ToolResultPart,
  { notes }: InputContext,
) {
  if (isError) notes.lose('tool-error-flag');
  if (cache) notes.lose('cache-breakpoint');
  const output = plainText(content) ?? content.map((part) => encodeInputContent(part, notes));
  return [{ type: isFreeform ? 'custom_tool_call_output' : 'function_call_output', call_id: callId, output }];
}

function plainText([first, ...others]: readonly ToolResultContent[]): string | undefined {
  if (first === undefined) return '';
  return first.kind === 'text' && others.length === 0 ? first.text : undefined;
}
