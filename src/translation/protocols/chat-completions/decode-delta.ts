import { listOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { CallAssembly } from './call-assembly.ts';
import type { PartEvents } from './part-events.ts';
import { PROTOCOL } from './protocol.ts';
import { reasoningFields, THINKING_ITEM } from './reasoning-fields.ts';

/** The writers of an answer's parts and of its calls. */
export type AnswerWriters = { parts: PartEvents; calls: CallAssembly };

/**
 * Decodes one delta, or a whole message.
 * Only the first reasoning field counts, since some hosts send the same text in two.
 */
export function decodeDelta(delta: Fields, { parts, calls }: AnswerWriters): void {
  const field = reasoningFields.find((name) => typeof delta[name] === 'string' && delta[name] !== '');
  if (field) parts.say('thinking', delta[field] as string, field);
  for (const detail of objectsIn(delta.reasoning_details)) addEncrypted(parts, detail);
  addContent(parts, delta.content);
  for (const annotation of objectsIn(delta.annotations)) addAnnotation(parts, annotation);
  if (typeof delta.refusal === 'string') parts.say('refusal', delta.refusal);
  for (const piece of objectsIn(delta.tool_calls)) calls.add(piece);
  const legacy = delta.function_call;
  if (isObject(legacy)) calls.add({ index: 0, function: legacy });
}

const objectsIn = (value: unknown): Fields[] => listOf(value).filter(isObject);

/** Adds content. Mistral sends a list when the answer holds thinking or citations. */
function addContent(parts: PartEvents, content: unknown): void {
  if (typeof content === 'string') parts.say('text', content);
  else for (const item of objectsIn(content)) addItem(parts, item);
}

function addItem(parts: PartEvents, item: Fields): void {
  if (typeof item.text === 'string') parts.say('text', item.text);
  else if (item.type === THINKING_ITEM)
    for (const thought of objectsIn(item.thinking))
      if (typeof thought.text === 'string') parts.say('thinking', thought.text, THINKING_ITEM);
}

function addAnnotation(parts: PartEvents, annotation: Fields): void {
  const source = annotation.url_citation;
  parts.cite(annotation, isObject(source) ? source : annotation);
}

/** Adds encrypted reasoning, which arrives in whole entries and which only its own host can read. */
function addEncrypted(parts: PartEvents, detail: Fields): void {
  if (detail.type !== 'reasoning.encrypted') return;
  parts.endSpeech();
  const data = JSON.stringify(detail);
  parts.end(parts.start({ kind: 'redacted-thinking', replay: { issuer: PROTOCOL, data } }));
}
