import type {
  Part,
  RefusalPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
} from '../../canonical/part.ts';
import type { CanonicalRequest, Turn } from '../../canonical/request.ts';
import type { EncodeTarget } from '../codec.ts';
import type { EncodeNotes } from '../encode-notes.ts';
import { STAND_IN } from '../stand-in.ts';
import { encodeInputContent, isInputContent } from './encode-content.ts';

type Context = {
  role: Turn['role'];
  keepsThinking: boolean;
  ids: { next: number };
  notes: EncodeNotes;
};

/** Every part that is an item of its own; the others are contents of a message. */
const encoders: {
  [Kind in Part['kind']]?: (part: Extract<Part, { kind: Kind }>, context: Context) => unknown[];
} = {
  refusal: encodeRefusal,
  thinking: (part, context) => encodeThinking(part, context),
  'redacted-thinking': ({ replay }, context) =>
    encodeThinking({ kind: 'thinking', form: 'summary', text: '', replay }, context),
  'tool-call': encodeCall,
  'tool-result': encodeResult,
  opaque({ issuer, block }, { notes }) {
    if (issuer === 'responses') return [block];
    notes.lose('opaque-block');
    return [];
  },
};

const NOTHING_SAID = { type: 'message', role: 'user', content: [{ type: 'input_text', text: STAND_IN }] };

/** The conversation as items, in its order. */
export function encodeInput(
  { turns }: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): unknown[] {
  const context = { keepsThinking: target.reasoning, ids: { next: 0 }, notes };
  const items = turns.flatMap((turn) => encodeTurn(turn, { ...context, role: turn.role }));
  return items.length > 0 ? items : [NOTHING_SAID];
}

function encodeTurn({ parts }: Turn, context: Context): unknown[] {
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
    items.push(...encodeItem(part, context));
  }
  closeMessage();
  return items;
}

function encodeItem(part: Part, context: Context): unknown[] {
  if (part.kind === 'text') return encodeAnswer(part, context);
  const encode = encoders[part.kind] as ((part: Part, context: Context) => unknown[]) | undefined;
  if (encode) return encode(part, context);
  // A picture or a sound that the model made: there is no place for it in its turn.
  context.notes.lose('opaque-block');
  return [];
}

/** The plain form, which every host takes; the full one asks for an id, and has the citations of this protocol. */
function encodeAnswer({ text, citations = [], cache }: TextPart, context: Context): unknown[] {
  const { role, notes } = context;
  if (cache) notes.lose('cache-breakpoint');
  const annotations = citations.filter(({ issuer }) => issuer === 'responses').map(({ raw }) => raw);
  if (annotations.length < citations.length) notes.lose('citation');
  if (annotations.length === 0) return [{ type: 'message', role, content: text }];
  return [outputMessage({ type: 'output_text', text, annotations }, context)];
}

function encodeRefusal({ text }: RefusalPart, context: Context): unknown[] {
  return [outputMessage({ type: 'refusal', refusal: text }, context)];
}

/** Nobody looks the id up, but there must be one, and none twice. */
const outputMessage = (content: object, { ids }: Context) => ({
  type: 'message',
  id: `msg_${ids.next++}`,
  status: 'completed',
  role: 'assistant',
  content: [content],
});

/** Only what this protocol sealed itself can be handed back: what is not sealed, its hosts do not know. */
function encodeThinking({ text, form, replay }: ThinkingPart, { keepsThinking, notes }: Context): unknown[] {
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

function encodeCall({ callId, itemId, name, namespace, input, cache }: ToolCallPart, { notes }: Context) {
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

/** One text is sent as such, since not every host takes a list. */
function encodeResult({ callId, content, isFreeform, isError, cache }: ToolResultPart, { notes }: Context) {
  if (isError) notes.lose('tool-error-flag');
  if (cache) notes.lose('cache-breakpoint');
  const output = plainText(content) ?? content.map((part) => encodeInputContent(part, notes));
  return [{ type: isFreeform ? 'custom_tool_call_output' : 'function_call_output', call_id: callId, output }];
}

function plainText([first, ...rest]: readonly ToolResultContent[]): string | undefined {
  if (first === undefined) return '';
  return first.kind === 'text' && rest.length === 0 ? first.text : undefined;
}
