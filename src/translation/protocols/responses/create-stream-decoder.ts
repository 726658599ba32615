import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import { DONE } from '../../framing/done.ts';
import { DecoderState } from './decoder-state.ts';
import { eventHandlers } from './event-handlers.ts';
import { refusalInEvent } from './refusal-in-event.ts';
import { usageOfResponse } from './usage.ts';

/**
 * Creates the decoder of one stream. Events after the last one are ignored. A body without a last event is an
 * error.
 */
export function createStreamDecoder(): (frame: Frame) => StreamEvent[] {
  const state = new DecoderState();
  return (frame) => {
    if (state.events.hasEnded || frame.data === DONE) return [];
    if (frame === END_OF_BODY) throw new SyntaxError('the stream ended before the answer was complete');
    const event = parseObject(frame.data);
    handle(state, typeOf(event, frame), event);
    return state.events.take();
  };
}

function typeOf(event: JsonObject, frame: Frame): string {
  const type = textOf(event.type) ?? frame.event ?? (isObject(event.error) ? 'error' : undefined);
  if (type === undefined) throw new SyntaxError('the event has no type');
  return type;
}

function handle(state: DecoderState, type: string, event: JsonObject): void {
  const refusal = refusalInEvent(type, event);
  if (refusal) {
    state.events.fail(refusal);
    return;
  }
  const handler = lookUp(eventHandlers, type);
  if (handler === undefined) return;
  const response = objectOf(event.response);
  state.events.start(response);
  state.events.addUsage(usageOfResponse(response));
  handler(state, event);
}
