import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { Said } from '../../canonical/said.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame } from '../codec.ts';
import type { AnswerLabel, FrameMeaning, FrameReader } from '../dialect.ts';
import { formatFrame } from '../format-frame.ts';
import { RefusedAnswer } from '../refused-answer.ts';
import { patchClosing, patchMessage } from './patch-message.ts';
import { createThinkingFilter } from './unasked-thinking.ts';
import { decodeUsage, hasUsage } from './usage.ts';

const CLOSING = new Set(['message_delta', 'message_stop']);

type StreamedEvent = { type: string; message?: unknown };

type Reading = {
  decode: (frame: Frame) => StreamEvent[];
  label: AnswerLabel;
  showsThinking: boolean;
};

/** The events of a messages wire on their way to a client that speaks the same. */
export function createMessagesFrameReader({ decode, label, showsThinking }: Reading): FrameReader {
  const filter = showsThinking ? undefined : createThinkingFilter();
  const { estimate } = label;
  const said = new Said(estimate);
  let reported: Usage | undefined;
  let used: Usage | undefined;
  const patch = (event: StreamedEvent, data: string): string => {
    const { type } = event;
    if (type === 'message_start') return patchStart(data, event, label);
    return type === 'message_delta' && used ? patchClosing(data, billedUsage(used, estimate)) : data;
  };
  const read = (frame: Frame): FrameMeaning => {
    const told = readEvents(decode(frame), said);
    reported = told.usage ?? reported;
    const event = JSON.parse(frame.data) as StreamedEvent;
    const { type } = event;
    if (type === 'message_delta') used = estimateUsage({ reported, said, isWhole: true, estimate });
    const shown = filter ? filter(frame.data, event) : frame.data;
    const data = shown && patch(event, shown);
    return {
      ...told,
      text: data === undefined ? '' : formatFrame({ event: type, data }),
      closes: CLOSING.has(type),
      ends: type === 'message_stop',
      ...(type === 'message_delta' && used && { usage: used }),
    };
  };
  return Object.assign(read, { said });
}

function readEvents(events: StreamEvent[], said: Said) {
  let begins = false;
  let usage: Usage | undefined;
  for (const event of events) {
    if (event.type === 'response-error') throw new RefusedAnswer(event.refusal);
    begins ||= event.type === 'part-start' || event.type === 'response-end';
    if (event.type === 'usage') usage = event.usage;
    if (event.type === 'part-delta' && 'text' in event.delta) said.add(event.delta.text);
  }
  return { begins, ...(usage && { usage }) };
}

/** The one frame that names the message and its model. */
function patchStart(data: string, { message }: StreamedEvent, label: AnswerLabel): string {
  const members = membersOf(data);
  const place = members.get('message');
  if (!place) return data;
  const text = data.slice(place.start, place.end);
  const value = objectOf(message);
  const billed = hasUsage(value.usage) && billedUsage(decodeUsage(objectOf(value.usage)), label.estimate);
  const shown = billed && billed.isImplausible ? { usage: billed } : {};
  return patchJson(data, members, { message: patchMessage({ text, value }, label, shown) });
}
