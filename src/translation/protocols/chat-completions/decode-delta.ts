import { listOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { CallAssembly } from './call-assembly.ts';
import { PROTOCOL } from './protocol.ts';
import { reasoningFields, THINKING_ITEM } from './reasoning-fields.ts';
import type { Speech } from './speech.ts';

/** The writers of an answer's parts. */
type AnswerWriters = { events: DecodedEvents; speech: Speech; calls: CallAssembly };

/**
 * Decodes one delta, or a whole message.
 * Only the first reasoning field counts, since some hosts send the same text in two.
 */
export function decodeDelta(delta: Fields, writers: AnswerWriters): void {
  const { speech, calls } = writers;
  const field = reasoningFields.find((name) => typeof delta[name] === 'string' && delta[name] !== '');
  if (field) speech.say('thinking', delta[field] as string, field);
  for (const detail of objectsIn(delta.reasoning_details)) addEncrypted(detail, writers);
  addContent(speech, delta.content);
  for (const annotation of objectsIn(delta.annotations)) addAnnotation(speech, annotation);
  if (typeof delta.refusal === 'string') speech.say('refusal', delta.refusal);
  for (const piece of objectsIn(delta.tool_calls)) calls.add(piece);
  const legacy = delta.function_call;
  if (isObject(legacy)) calls.add({ index: 0, function: legacy });
}

const objectsIn = (value: unknown): Fields[] => listOf(value).filter(isObject);

/** Adds content. Mistral sends a list when the answer holds thinking or citations. */
function addContent(speech: Speech, content: unknown): void {
  if (typeof content === 'string') speech.say('text', content);
  else for (const item of objectsIn(content)) addItem(speech, item);
}

function addItem(speech: Speech, item: Fields): void {
  if (typeof item.text === 'string') speech.say('text', item.text);
  else if (item.type === THINKING_ITEM)
    for (const thought of objectsIn(item.thinking))
      if (typeof thought.text === 'string') speech.say('thinking', thought.text, THINKING_ITEM);
}

function addAnnotation(speech: Speech, annotation: Fields): void {
  const source = annotation.url_citation;
  speech.cite(annotation, isObject(source) ? source : annotation);
}

/** Adds encrypted reasoning, which arrives in whole entries and which only its own host can read. */
function addEncrypted(detail: Fields, { events, speech }: AnswerWriters): void {
  if (detail.type !== 'reasoning.encrypted') return;
  speech.end();
  const data = JSON.stringify(detail);
  events.addPart({ kind: 'redacted-thinking', replay: { issuer: PROTOCOL, data } });
}
