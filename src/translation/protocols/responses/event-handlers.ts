import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { countOf } from '../../framing/count-of.ts';
import { callHead, isCall } from './call-head.ts';
import { decodeCitation } from './citation.ts';
import { type DecoderState, type OpenItem, type OpenPart, SOLE_PART } from './decoder-state.ts';
import { contentPart, finishContent, finishItem } from './finish-item.ts';
import { SUMMARY_SEPARATOR } from './reasoning-text.ts';
import { decodeStop } from './stop.ts';

type Handler = (state: DecoderState, event: JsonObject) => void;

/** Handles an event whose response object says all that matters. */
const addNothing: Handler = () => {};

/** The handlers of the events that belong to an answer. Other events are ignored. */
export const eventHandlers: Readonly<Record<string, Handler>> = {
  'response.created': addNothing,
  'response.in_progress': addNothing,
  'response.queued': addNothing,
  'response.output_item.added': beginItem,
  'response.output_item.done': endItem,
  'response.content_part.added': beginContent,
  'response.content_part.done': endContent,
  'response.output_text.delta': growContent('output_text'),
  'response.output_text.done': completeContent('output_text', 'text'),
  'response.output_text.annotation.added': cite,
  'response.refusal.delta': growContent('refusal'),
  'response.refusal.done': completeContent('refusal', 'refusal'),
  'response.reasoning_summary_text.delta': growSummary,
  'response.reasoning_text.delta': growReasoning,
  'response.function_call_arguments.delta': growCall,
  'response.function_call_arguments.done': completeCall('arguments'),
  'response.custom_tool_call_input.delta': growCall,
  'response.custom_tool_call_input.done': completeCall('input'),
  'response.completed': finish,
  'response.incomplete': finish,
};

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

function endItem(state: DecoderState, event: JsonObject): void {
  finishItem(state, itemAt(state, event), objectOf(event.item));
}

/** Returns the part of a message's content of this type, which begins here if the host has not begun it. */
const messagePart = (state: DecoderState, event: JsonObject, type: string): OpenPart =>
  contentPart(state, itemAt(state, event), { index: indexOf(event, 'content_index'), type });

type ContentType = 'output_text' | 'refusal';

// These are declared as functions, since the table above calls them.
function growContent(type: ContentType): Handler {
  return (state, event) => state.grow(messagePart(state, event, type), deltaOf(event));
}

/** `field`: the member of the event with the whole text. */
function completeContent(type: ContentType, field: 'text' | 'refusal'): Handler {
  return (state, event) => state.complete(messagePart(state, event, type), textOf(event[field]));
}

function cite(state: DecoderState, event: JsonObject): void {
  state.cite(messagePart(state, event, 'output_text'), decodeCitation(event.annotation));
}

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

function growReasoning(state: DecoderState, event: JsonObject): void {
  state.grow(thinkingPart(state, event, 'full'), deltaOf(event));
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

/** `field`: the member of the event with the whole input. */
function completeCall(field: 'arguments' | 'input'): Handler {
  return (state, event) => {
    const part = itemAt(state, event).parts.get(SOLE_PART);
    if (part) state.complete(part, textOf(event[field]));
  };
}

/**
 * Finishes the answer. Items that were never streamed are taken from the last event, which has the whole
 * answer.
 */
function finish(state: DecoderState, event: JsonObject): void {
  const response = objectOf(event.response);
  const unseen = listOf(response.output).slice(state.itemCount);
  for (const item of unseen.map(objectOf)) finishItem(state, state.beginItem(state.itemCount, item), item);
  for (const open of state.items.values()) for (const part of open.parts.values()) state.end(part);
  state.events.end(decodeStop(response, state));
}
