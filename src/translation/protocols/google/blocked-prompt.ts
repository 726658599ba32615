import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';

/** The names of an answer towards its client. */
export type AnswerNames = { responseId: string; modelVersion: string };

/** Vendors without words for the reason say only that a safety system blocked the prompt. */
const SAFETY = { promptFeedback: { blockReason: 'SAFETY' } };

/**
 * Returns the answer to a prompt that a vendor has blocked, or undefined if the refusal has another cause.
 */
export const blockedAnswer = (
  { code, details }: Refusal,
  names: AnswerNames,
): Record<string, unknown> | undefined =>
  code === 'content_filter' ? { ...(details.blocked ?? SAFETY), ...names } : undefined;

/** Returns the chunk that ends a failed stream. `hasBegun`: the client has got a part of the answer. */
export const failureChunk = (
  refusal: Refusal,
  names: AnswerNames,
  hasBegun: boolean,
): Record<string, unknown> =>
  (hasBegun ? undefined : blockedAnswer(refusal, names)) ?? errorEnvelope('google', refusal);
