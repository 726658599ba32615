import { membersOf, patchJson, patchText } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject } from '../../../base/json/read-json.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { eventName } from '../../framing/event-name.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { reportMessageTypes } from '../../members/report-types.ts';
import { EventOrder, type HostEvent } from './event-order.ts';
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

/** Reads a messages stream for a client that speaks the same protocol. */
export class MessagesFrameReader implements FrameReader {
  readonly #decode: Reading['decode'];
  readonly #label: AnswerLabel;
  readonly #withoutThinking: ReturnType<typeof createThinkingFilter> | undefined;
  readonly #order = new EventOrder();
  readonly answerText: CountedText;
  #reported: Usage | undefined;

  constructor({ decode, label, showsThinking }: Reading) {
    this.#decode = decode;
    this.#label = label;
    this.#withoutThinking = showsThinking ? undefined : createThinkingFilter();
    this.answerText = new CountedText(label.estimate);
  }

  read(frame: Frame): FrameMeaning {
    const event = eventIn(frame);
    const { reportUnknown } = this.#label;
    if (reportUnknown) reportMessageTypes(event, reportUnknown);
    const missing = this.#order.missingBefore(event);
    if (missing === undefined) return this.#readEvent(frame, event, 'dropped');
    if (missing.length === 0) return this.#readEvent(frame, event, 'shown');
    const before = missing.map((added) =>
      this.#readEvent({ event: added.type, data: JSON.stringify(added) }, added, 'shown'),
    );
    return joinMeanings([...before, this.#readEvent(frame, event, 'shown')]);
  }

  /** Reads an event. The client does not get one that is `dropped`. */
  #readEvent(frame: Frame, event: HostEvent, fate: 'shown' | 'dropped'): FrameMeaning {
    const { type } = event;
    const { begins, usage: reported } = readEvents(this.#decode(frame), this.answerText);
    this.#reported = reported ?? this.#reported;
    const usage = type === 'message_delta' ? this.#usageOfWhole() : reported;
    return {
      text: fate === 'shown' ? this.#show(event, asOneLine(frame.data), usage) : '',
      begins,
      closes: CLOSING.has(type),
      ends: type === 'message_stop',
      ...(usage && { usage }),
    };
  }

  #usageOfWhole(): Usage {
    const { estimate } = this.#label;
    const { answerText } = this;
    return estimateUsage({ reported: this.#reported, answerText, isWhole: true, estimate });
  }

  #show(event: HostEvent, data: string, usage: Usage | undefined): string {
    const shown = this.#withoutThinking ? this.#withoutThinking(data, event) : data;
    if (shown === undefined) return '';
    return formatFrame({ event: event.type, data: this.#patch(event, shown, usage) });
  }

  #patch(event: HostEvent, data: string, usage: Usage | undefined): string {
    const { type } = event;
    if (type === 'message_start') return patchStart(data, event, this.#label);
    if (type === 'content_block_start') return patchBlock(data, event, this.#label);
    if (type !== 'message_delta' || usage === undefined) return data;
    return patchClosing(data, billedUsage(usage, this.#label.estimate), this.#label);
  }
}

/** Parses the event of a frame. An event that reports a failure may lack a type. */
function eventIn({ data }: Frame): HostEvent {
  const event = parseObject(data);
  if (event.error == null) eventName(event.type);
  return event as HostEvent;
}

/** Joins the meanings of consecutive frames. */
const joinMeanings = (meanings: readonly FrameMeaning[]): FrameMeaning => ({
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

function patchBlock(data: string, { content_block }: HostEvent, label: AnswerLabel): string {
  const renamed = renameInBlock(content_block, label);
  return renamed ? patchText(data, { content_block: JSON.stringify(renamed) }) : data;
}

/** Patches `message_start`, the only event that names the message and its model. */
function patchStart(data: string, { message }: HostEvent, label: AnswerLabel): string {
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
