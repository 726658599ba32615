import type { PartDelta } from '../../canonical/event.ts';
import type { OutputPart, TextPart, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import { encodeCitation } from './citation.ts';
import { emptyArgumentsText, encodeContent, type MessagePart, thinkingList } from './encode-item.ts';
import type { View } from './view.ts';

/** A typed event without its sequence number. */
export type EventFields = { type: string } & Record<string, unknown>;

/** A part in the stream. `place` is the position that all its events repeat. */
export type PlacedPart<Part extends OutputPart = OutputPart> = {
  part: Part;
  place: { item_id: string; output_index: number; content_index?: number };
  view: View;
};

/** The events between the beginning and the end of a part's item. */
export type PartFrames<Part extends OutputPart> = {
  begin?(placed: PlacedPart<Part>): EventFields[];
  /** The delta is already included in the part. */
  grow?(placed: PlacedPart<Part>, delta: PartDelta): EventFields[];
  end?(placed: PlacedPart<Part>): EventFields[];
};

const EMPTY_TEXT = { type: 'output_text', text: '', annotations: [], logprobs: [] };
const EMPTY_REFUSAL = { type: 'refusal', refusal: '' };

const message: PartFrames<MessagePart> = {
  begin: ({ part, place }) => [
    {
      type: 'response.content_part.added',
      ...place,
      part: part.kind === 'text' ? EMPTY_TEXT : EMPTY_REFUSAL,
    },
  ],
  grow({ part, place }, delta) {
    if ('text' in delta && delta.text === '') return [];
    if (delta.kind === 'text')
      return [{ type: 'response.output_text.delta', ...place, delta: delta.text, logprobs: [] }];
    if (delta.kind === 'refusal') return [{ type: 'response.refusal.delta', ...place, delta: delta.text }];
    return part.kind === 'text' && delta.kind === 'citation' ? announceAnnotation(part, place) : [];
  },
  end: ({ part, place }) => [
    part.kind === 'text'
      ? { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] }
      : { type: 'response.refusal.done', ...place, refusal: part.text },
    { type: 'response.content_part.done', ...place, part: encodeContent(part) },
  ],
};

function announceAnnotation({ citations = [], text }: TextPart, place: PlacedPart['place']): EventFields[] {
  const annotations = citations.map((citation) => encodeCitation(citation, text.length));
  const latest = annotations.at(-1);
  if (latest === undefined) return [];
  return [
    {
      type: 'response.output_text.annotation.added',
      ...place,
      annotation_index: annotations.filter((annotation) => annotation !== undefined).length - 1,
      annotation: latest,
    },
  ];
}

/** The events of each list of a reasoning item, the type of its texts, and the place of its only text. */
const reasoningLists = {
  summary: {
    partEvent: 'response.reasoning_summary_part',
    textEvent: 'response.reasoning_summary_text',
    type: 'summary_text',
    index: { summary_index: 0 },
  },
  content: {
    partEvent: 'response.content_part',
    textEvent: 'response.reasoning_text',
    type: 'reasoning_text',
    index: { content_index: 0 },
  },
} as const;

/** Reasoning. Its list begins with its first text, and stays empty if nothing is shown. */
const thinking: PartFrames<ThinkingPart> = {
  grow({ part, place, view }, delta) {
    const list = thinkingList(part.form, view);
    if (list === undefined || delta.kind !== 'thinking' || delta.text === '') return [];
    const { partEvent, textEvent, type, index } = reasoningLists[list];
    const grown = { type: `${textEvent}.delta`, ...place, ...index, delta: delta.text };
    const isFirst = part.text.length === delta.text.length;
    if (!isFirst) return [grown];
    return [{ type: `${partEvent}.added`, ...place, ...index, part: { type, text: '' } }, grown];
  },
  end({ part: { form, text }, place, view }) {
    const list = thinkingList(form, view);
    if (list === undefined || text === '') return [];
    const { partEvent, textEvent, type, index } = reasoningLists[list];
    return [
      { type: `${textEvent}.done`, ...place, ...index, text },
      { type: `${partEvent}.done`, ...place, ...index, part: { type, text } },
    ];
  },
};

const toolCall: PartFrames<ToolCallPart> = {
  grow: ({ part, place }, delta) =>
    delta.kind === 'tool-input' && delta.text !== '' ? [callDelta(part, place, delta.text)] : [],
  end({ part, place }) {
    const missing = emptyArgumentsText(part);
    const text = part.input.text + missing;
    return [
      ...(missing === '' ? [] : [callDelta(part, place, missing)]),
      part.input.kind === 'freeform'
        ? { type: 'response.custom_tool_call_input.done', ...place, input: text }
        : { type: 'response.function_call_arguments.done', ...place, name: part.name, arguments: text },
    ];
  },
};

const callDelta = ({ input }: ToolCallPart, place: PlacedPart['place'], delta: string): EventFields => ({
  type:
    input.kind === 'freeform'
      ? 'response.custom_tool_call_input.delta'
      : 'response.function_call_arguments.delta',
  ...place,
  delta,
});

/** The events of each kind of part. Kinds without events are sent as whole items. */
export const partFrames: { [Kind in OutputPart['kind']]: PartFrames<Extract<OutputPart, { kind: Kind }>> } = {
  text: message,
  refusal: message,
  thinking,
  'redacted-thinking': {},
  'tool-call': toolCall,
  opaque: {},
};
