import { errorEnvelope } from '../../../base/errors/envelope.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';

/** The answer for a vendor that names no reason. It says only that a safety system blocked the prompt. */
const SAFETY = { promptFeedback: { blockReason: 'SAFETY' } };

/**
 * Returns the refusal for a prompt that the vendor has blocked.
 * The client of this dialect gets the vendor's own account of the block.
 */
export function blockedPrompt({ promptFeedback, usageMetadata }: JsonObject): Refusal | undefined {
  if (objectOf(promptFeedback).blockReason === undefined) return undefined;
  return new Refusal('content_filter', {
    cause: promptFeedback,
    blocked: { promptFeedback, ...(isObject(usageMetadata) && { usageMetadata }) },
  });
}

/** The names of an answer towards its client. */
type AnswerNames = { responseId: string; modelVersion: string };

/**
 * Returns the answer to a prompt that a vendor has blocked, or undefined if the refusal has another cause.
 */
export const blockedAnswer = ({ code, details }: Refusal, names: AnswerNames): JsonObject | undefined =>
  code === 'content_filter' ? { ...(details.blocked ?? SAFETY), ...names } : undefined;

/** Returns the chunk that ends a failed stream. `hasBegun`: the client has got a part of the answer. */
export const failureChunk = (
  refusal: Refusal,
  { names, hasBegun }: { names: AnswerNames; hasBegun: boolean },
): JsonObject => (hasBegun ? undefined : blockedAnswer(refusal, names)) ?? errorEnvelope('google', refusal);
