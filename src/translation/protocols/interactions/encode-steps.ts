import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type {
  OpaquePart,
  Part,
  ReplayToken,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import {
  type Conversation,
  callIdsOf,
  joinTurns,
  namesOfCalls,
  type Unit,
} from '../../encoding/join-turns.ts';
import { STAND_IN } from '../../encoding/stand-in.ts';
import { encodeMedia, type InteractionContent } from './encode-media.ts';

/** A step, or a content that a step of the turn's role will have. */
type Block = { step: object } | { content: InteractionContent };

/**
 * The first step if the conversation is empty, or begins with a step of the model's.
 * A call must follow a step of the user's.
 */
const OPENING = { type: 'user_input', content: [{ type: 'text', text: STAND_IN }] };

const NOTHING: Unit<Block> = { blocks: [] };

/** Encodes the conversation as steps, in order. Consecutive contents of one role become one step. */
export function encodeSteps(conversation: Conversation, notes: EncodeNotes): object[] {
  const names = namesOfCalls(conversation);
  const turns = conversation.turns.map(({ role, parts }) => ({
    role,
    units: parts.map((part) => encodePart(part, { notes, names })),
  }));
  const joined = joinTurns(turns, callIdsOf(conversation));
  const steps = joined.flatMap(({ role, blocks }) =>
    stepsOf(blocks, role === 'assistant' ? 'model_output' : 'user_input'),
  );
  return joined[0]?.role === 'user' ? steps : [OPENING, ...steps];
}

function stepsOf(blocks: readonly Block[], type: string): object[] {
  const steps: object[] = [];
  let content: InteractionContent[] | undefined;
  for (const block of blocks) {
    if ('step' in block) {
      steps.push(block.step);
      content = undefined;
    } else if (content) content.push(block.content);
    else {
      content = [block.content];
      steps.push({ type, content });
    }
  }
  return steps;
}

type StepContext = { notes: EncodeNotes; names: ReadonlyMap<string, string> };

function encodePart(part: Part, context: StepContext): Unit<Block> {
  if ('cache' in part && part.cache) context.notes.lose('cache-breakpoint');
  return handlerOf(encoders, part)(part, context);
}

const contents = (list: readonly InteractionContent[]): Unit<Block> => ({
  blocks: list.map((content) => ({ content })),
});

const encoders: KindTable<Part, [context: StepContext], Unit<Block>> = {
  text: encodeText,
  refusal: ({ text }) => (text === '' ? NOTHING : contents([{ type: 'text', text }])),
  thinking: ({ text, replay }, { notes }) => encodeThinking(text, replay, notes),
  'redacted-thinking': ({ replay }, { notes }) => encodeThinking('', replay, notes),
  'tool-call': encodeCall,
  'tool-result': encodeResult,
  image: (part, { notes }) => contents(encodeMedia(part, notes)),
  document: (part, { notes }) => contents(encodeMedia(part, notes)),
  audio: (part, { notes }) => contents(encodeMedia(part, notes)),
  opaque: encodeOpaque,
};

function encodeText({ text, citations = [] }: TextPart, { notes }: StepContext): Unit<Block> {
  const annotations = citations.filter(({ issuer }) => issuer === 'interactions').map(({ raw }) => raw);
  if (annotations.length < citations.length) notes.lose('citation');
  if (text === '') return NOTHING;
  return contents([{ type: 'text', text, ...(annotations.length > 0 && { annotations }) }]);
}

/** Encodes thinking that this vendor signed. Other thinking is dropped. */
function encodeThinking(text: string, replay: ReplayToken | undefined, notes: EncodeNotes): Unit<Block> {
  if (replay?.issuer !== 'interactions') {
    if (replay) notes.lose('replay-token');
    if (text !== '') notes.lose('thinking-block');
    return NOTHING;
  }
  const summary = text === '' ? {} : { summary: [{ type: 'text', text }] };
  return { blocks: [{ step: { type: 'thought', signature: replay.data, ...summary } }] };
}

function encodeOpaque({ issuer, block }: OpaquePart, { notes }: StepContext): Unit<Block> {
  if (issuer === 'interactions') return { blocks: [{ step: block as object }] };
  notes.lose('opaque-block');
  return NOTHING;
}

function encodeCall({ callId, name, input, replay }: ToolCallPart, { notes }: StepContext): Unit<Block> {
  if (replay) notes.lose('replay-token');
  const step = { type: 'function_call', id: callId, name, arguments: new RawJson(objectInput(input)) };
  return { blocks: [{ step }] };
}

function encodeResult({ callId, content, isError }: ToolResultPart, context: StepContext): Unit<Block> {
  const { notes, names } = context;
  const name = names.get(callId);
  const result = content.flatMap((part): InteractionContent[] => {
    if (part.cache) notes.lose('cache-breakpoint');
    return part.kind === 'text' ? [{ type: 'text', text: part.text }] : encodeMedia(part, notes);
  });
  const step = {
    type: 'function_result',
    call_id: callId,
    ...(name !== undefined && { name }),
    result: result.length > 0 ? result : '',
    ...(isError && { is_error: true }),
  };
  return { blocks: [{ step }], answers: callId };
}
