import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { CountedText } from '../../canonical/counted-text.ts';
import { inputTotal, outputTotal, type Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { jsonString } from '../../framing/json-string.ts';
import { encodeUsage } from './encode-usage.ts';
import { refusalOf } from './refusal-of.ts';
import { addCounts, hasOnlyCounts, usageOf } from './usage.ts';

/** Returns the candidates of a chunk or of a whole answer. */
export const candidatesOf = ({ candidates }: JsonObject): JsonObject[] => listOf(candidates).map(objectOf);

/** Returns the parts of a candidate. */
export const partsOf = ({ content }: JsonObject): JsonObject[] =>
  listOf(objectOf(content).parts).map(objectOf);

/**
 * Returns the refusal for a prompt that the vendor has blocked.
 * The client of this dialect gets the vendor's own account of it.
 */
export function blockedPrompt({ promptFeedback, usageMetadata }: JsonObject): Refusal | undefined {
  if (objectOf(promptFeedback).blockReason === undefined) return undefined;
  return new Refusal('content_filter', {
    cause: promptFeedback,
    blocked: { promptFeedback, ...(isObject(usageMetadata) && { usageMetadata }) },
  });
}

/** Throws if the vendor reports a failure, or has blocked the prompt. */
export function refuseFailed(chunk: JsonObject): void {
  if (chunk.error !== undefined) throw new RefusedAnswer(refusalOf(chunk.error));
  const blocked = candidatesOf(chunk).length === 0 ? blockedPrompt(chunk) : undefined;
  if (blocked) throw new RefusedAnswer(blocked);
}

/** Adds what the model wrote. */
export function addAnswerText(answerText: CountedText, candidate: JsonObject): void {
  for (const { text, functionCall } of partsOf(candidate)) {
    if (typeof text === 'string') answerText.add(text);
    if (isObject(functionCall)) answerText.add(JSON.stringify(functionCall.args ?? {}));
  }
}

/**
 * Returns the vendor's own text with the gateway's id and the client's model name, and with `usage` if the
 * vendor's is not the billed one.
 */
export const labelChunk = (text: string, chunk: JsonObject, { label, usage }: ShownAnswer): string =>
  patchKnown(text, chunk, {
    modelVersion: chunk.modelVersion === undefined ? undefined : jsonString(label.model),
    responseId: chunk.responseId === undefined ? undefined : jsonString(label.id),
    usageMetadata: usage && JSON.stringify(encodeUsage(usage)),
  });

type ShownAnswer = { label: AnswerLabel; usage: Usage | undefined };

/** Returns the billed usage if the chunk's own report differs from it. */
export function unlessShown({ usageMetadata }: JsonObject, billed: Usage): Usage | undefined {
  const own = usageOf(addCounts({}, usageMetadata));
  const isShown =
    own !== undefined &&
    hasOnlyCounts(usageMetadata) &&
    inputTotal(own) === inputTotal(billed) &&
    outputTotal(own) === outputTotal(billed);
  return isShown ? undefined : billed;
}
