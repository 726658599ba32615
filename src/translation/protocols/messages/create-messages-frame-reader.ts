import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject } from '../../../base/json/read-json.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Frame } from '../../contract/codec.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { eventName } from '../../framing/event-name.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { reportMessageTypes } from '../../members/known-types.ts';
import { EventOrder, type MessageEvent } from './event-order.ts';
import { patchClosing, patchMessage } from './patch-message.ts';
import { renameInBlock } from './rename-models.ts';
import { createThinkingFilter } from './unasked-thinking.ts';
import { decodeUsage, hasUsage } from './usage.ts';

const CLOSING = new Set(['message_delta', 'message_stop']);

type Reading = {
  decode: (frame: Frame) => StreamEvent[];
  label: AnswerLabel;
  showsThinking: boolean;
};

/** Creates the reader of a messages stream for a client that speaks the same protocol. */
export function createMessagesFrameReader({ decode, label, showsThinking }: Reading): FrameReader {
  const filter = showsThinking ? undefined : createThinkingFilter();
  const { estimate } = label;
  const answerText = new CountedText(estimate);
  let reported: Usage | undefined;
  let used: Usage | undefined;
  const patch = (event: MessageEvent, data: string): string => {
    const { type } = event;
    if (type === 'message_start') return patchStart(data, event, label);
    if (type === 'content_block_start') return patchBlock(data, event, label);
    return type === 'message_delta' && used ? patchClosing(data, billedUsage(used, estimate), label) : data;
  };
  const order = new EventOrder();
  const show = (event: MessageEvent, data: string): string => {
    const shown = filter ? filter(data, event) : data;
    return shown === undefined ? '' : formatFrame({ event: event.type, data: patch(event, shown) });
  };
  const readOne = (frame: Frame, event: MessageEvent, isShown = true): FrameMeaning => {
    const read = readEvents(decode(frame), answerText);
    reported = read.usage ?? reported;
    const { type } = event;
    if (type === 'message_delta') used = estimateUsage({ reported, answerText, isWhole: true, estimate });
    return {
      ...read,
      text: isShown ? show(event, asOneLine(frame.data)) : '',
      closes: CLOSING.has(type),
      ends: type === 'message_stop',
      ...(type === 'message_delta' && used && { usage: used }),
    };
  };
  const read = (frame: Frame): FrameMeaning => {
    const event = eventIn(frame);
    if (label.reportUnknown) reportMessageTypes(event, label.reportUnknown);
    const missing = order.missingBefore(event);
    if (missing?.length === 0) return readOne(frame, event);
    const before = missing?.map((added) =>
      readOne({ event: added.type, data: JSON.stringify(added) }, added),
    );
    return joined([...(before ?? []), readOne(frame, event, missing !== undefined)]);
  };
  return Object.assign(read, { answerText });
}

/** Parses the event of a frame. An event that reports a failure may lack a type. */
function eventIn({ data }: Frame): MessageEvent {
  const event = parseObject(data);
  if (event.error === undefined) eventName(event.type);
  return event as MessageEvent;
}

/** Joins the meanings of consecutive frames. */
const joined = (meanings: readonly FrameMeaning[]): FrameMeaning => ({
  ...Object.assign({}, ...meanings),
  text: meanings.map(({ text }) => text).join(''),
  begins: meanings.some(({ begins }) => begins),
});

function readEvents(events: StreamEvent[], answerText: CountedText) {
  let begins = false;
  let usage: Usage | undefined;
  for (const event of events) {
    if (event.type === 'response-error') throw new RefusedAnswer(event.refusal);
    begins ||= event.type === 'part-start' || event.type === 'response-end';
    if (event.type === 'usage') usage = event.usage;
    if (event.type === 'part-start' && event.part.kind === 'opaque') answerText.addPart(event.part.block);
    if (event.type === 'part-delta' && 'text' in event.delta) answerText.add(event.delta.text);
  }
  return { begins, ...(usage && { usage }) };
}

function patchBlock(data: string, { content_block }: MessageEvent, label: AnswerLabel): string {
  const renamed = renameInBlock(content_block, label);
  return renamed ? patchJson(data, membersOf(data), { content_block: JSON.stringify(renamed) }) : data;
}

/** Patches `message_start`, the only event that names the message and its model. */
function patchStart(data: string, { message }: MessageEvent, label: AnswerLabel): string {
  const members = membersOf(data);
  const place = members.get('message');
  if (!place) return data;
  const text = data.slice(place.start, place.end);
  const value = objectOf(message);
  if (typeof value.id === 'string') label.reportId?.(value.id);
  const billed = hasUsage(value.usage)
    ? billedUsage(decodeUsage(objectOf(value.usage)), label.estimate)
    : undefined;
  const shown = billed?.isImplausible ? { usage: billed } : {};
  return patchJson(data, members, { message: patchMessage({ text, value }, label, shown) });
}
