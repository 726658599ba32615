import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { END_OF_BODY, type Frame } from '../../contract/codec.ts';
import { countOf } from '../../framing/count-of.ts';
import { DONE } from '../../framing/done.ts';
import { decodeCitation } from './citation.ts';
import { callHead, contentPart, finishContent, finishItem, isCall } from './decode-item.ts';
import { DecoderState, type OpenItem, type OpenPart, SOLE_PART } from './decoder-state.ts';
import { SUMMARY_SEPARATOR } from './reasoning-text.ts';
import { refusalOf } from './refusal-of.ts';
import { decodeStop } from './stop.ts';
import { usageOfResponse } from './usage.ts';

type Handler = (state: DecoderState, event: JsonObject) => void;

/** Handles an event whose response object says all that matters. */
const addNothing: Handler = () => {};

/** The handlers of the events that belong to an answer. Other events are ignored. */
const handlers: Readonly<Record<string, Handler>> = {
  'response.created': addNothing,
  'response.in_progress': addNothing,
  'response.queued': addNothing,
  'response.output_item.added': beginItem,
  'response.output_item.done': (state, event) =>
    finishItem(state, itemAt(state, event), objectOf(event.item)),
  'response.content_part.added': beginContent,
  'response.content_part.done': endContent,
  'response.output_text.delta': (state, event) =>
    state.grow(messagePart(state, event, 'output_text'), deltaOf(event)),
  'response.output_text.done': (state, event) =>
    state.complete(messagePart(state, event, 'output_text'), textOf(event.text)),
  'response.output_text.annotation.added': (state, event) =>
    state.cite(messagePart(state, event, 'output_text'), decodeCitation(event.annotation)),
  'response.refusal.delta': (state, event) =>
    state.grow(messagePart(state, event, 'refusal'), deltaOf(event)),
  'response.refusal.done': (state, event) =>
    state.complete(messagePart(state, event, 'refusal'), textOf(event.refusal)),
  'response.reasoning_summary_text.delta': growSummary,
  'response.reasoning_text.delta': (state, event) =>
    state.grow(thinkingPart(state, event, 'full'), deltaOf(event)),
  'response.function_call_arguments.delta': growCall,
  'response.function_call_arguments.done': (state, event) => completeCall(state, event, 'arguments'),
  'response.custom_tool_call_input.delta': growCall,
  'response.custom_tool_call_input.done': (state, event) => completeCall(state, event, 'input'),
  'response.completed': finish,
  'response.incomplete': finish,
};

/** The events of a failure, and where each has its error. */
const failures: Readonly<Record<string, (event: JsonObject) => unknown>> = {
  error: (event) => (isObject(event.error) ? event.error : event),
  'response.failed': ({ response }) => objectOf(response).error,
  'response.cancelled': ({ response }) => objectOf(response).error,
};

/**
 * Creates the decoder of one stream. Events after the last one are ignored. A body without a last event is an
 * error.
 */
export function createStreamDecoder(): (frame: Frame) => StreamEvent[] {
  const state = new DecoderState();
  return (frame) => {
    if (state.hasEnded || frame.data === DONE) return [];
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
  const failure = lookUp(failures, type);
  if (failure) {
    state.events.push({ type: 'response-error', refusal: refusalOf(failure(event)) });
    state.hasEnded = true;
    return;
  }
  const handler = lookUp(handlers, type);
  if (handler === undefined) return;
  const response = objectOf(event.response);
  if (!state.hasStarted) start(state, response);
  const usage = usageOfResponse(response);
  if (usage) state.events.push({ type: 'usage', usage });
  handler(state, event);
}

function start(state: DecoderState, response: JsonObject): void {
  state.hasStarted = true;
  const responseId = textOf(response.id) ?? '';
  state.events.push({ type: 'response-start', responseId, model: textOf(response.model) ?? '' });
}

const deltaOf = (event: JsonObject): string => textOf(event.delta) ?? '';

type IndexField = 'output_index' | 'content_index' | 'summary_index';
const indexOf = (event: JsonObject, field: IndexField): number => countOf(event[field]) ?? 0;

function beginItem(state: DecoderState, event: JsonObject): void {
  const item = objectOf(event.item);
  const open = state.beginItem(indexOf(event, 'output_index'), item);
  if (isCall(item)) state.openPart(open, SOLE_PART, callHead(item));
}

/** Finds an item by its index, since some hosts change ids between events. */
function itemAt(state: DecoderState, event: JsonObject): OpenItem {
  const outputIndex = indexOf(event, 'output_index');
  return state.items.get(outputIndex) ?? state.beginItem(outputIndex, objectOf(event.item));
}

const messagePart = (state: DecoderState, event: JsonObject, type: string): OpenPart =>
  contentPart(state, itemAt(state, event), { index: indexOf(event, 'content_index'), type });

function thinkingPart(state: DecoderState, event: JsonObject, form: 'full' | 'summary'): OpenPart {
  const open = itemAt(state, event);
  return open.parts.get(SOLE_PART) ?? state.openPart(open, SOLE_PART, { kind: 'thinking', form });
}

/** Returns false for reasoning content, whose part begins with its first text. */
const isMessageContent = (event: JsonObject): boolean => objectOf(event.part).type !== 'reasoning_text';

function beginContent(state: DecoderState, event: JsonObject): void {
  const type = textOf(objectOf(event.part).type) ?? 'output_text';
  if (isMessageContent(event)) messagePart(state, event, type);
}

function endContent(state: DecoderState, event: JsonObject): void {
  const content = objectOf(event.part);
  const type = textOf(content.type) ?? 'output_text';
  if (isMessageContent(event)) finishContent(state, messagePart(state, event, type), content);
}

function growSummary(state: DecoderState, event: JsonObject): void {
  const open = itemAt(state, event);
  const part = thinkingPart(state, event, 'summary');
  const summaryIndex = indexOf(event, 'summary_index');
  if (summaryIndex > open.summaryIndex && part.text !== '') state.grow(part, SUMMARY_SEPARATOR);
  open.summaryIndex = summaryIndex;
  state.grow(part, deltaOf(event));
}

function growCall(state: DecoderState, event: JsonObject): void {
  const part = itemAt(state, event).parts.get(SOLE_PART);
  if (part) state.grow(part, deltaOf(event));
}

function completeCall(state: DecoderState, event: JsonObject, field: 'arguments' | 'input'): void {
  const part = itemAt(state, event).parts.get(SOLE_PART);
  if (part) state.complete(part, textOf(event[field]));
}

/**
 * Finishes the answer. Items that were never streamed are taken from the last
 * event, which has the whole answer.
 */
function finish(state: DecoderState, event: JsonObject): void {
  const response = objectOf(event.response);
  const unseen = listOf(response.output).slice(state.itemCount);
  for (const item of unseen.map(objectOf)) finishItem(state, state.beginItem(state.itemCount, item), item);
  for (const open of state.items.values()) for (const part of open.parts.values()) state.end(part);
  state.events.push({ type: 'response-end', stop: decodeStop(response, state) });
  state.hasEnded = true;
}
