import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import type { ChatUsage } from '../openai/openai-usage.ts';
import { wantsUsage } from '../openai/patch-openai-request.ts';
import type { FinishReason } from './stop.ts';
import { usesFunctions } from './uses-functions.ts';

/** Returns the members with which a completion and each of its chunks begin. */
export const envelope = <Kind extends string>(
  { responseId, createdAt, model }: ResponseHead,
  object: Kind,
) => ({
  id: responseId,
  object,
  created: createdAt,
  model,
});

/**
 * Returns true for clients that use `functions`, the predecessor of `tools`. They read a single call, in a
 * field of its own.
 */
export const wantsFunctionCall = ({ body }: ResponseHead): boolean => usesFunctions(body.value);

type ChunkChoice = { index: number; delta: object; finish_reason: FinishReason | null };

/** Encodes a chunk of one choice. */
export const choiceFrame = (head: ResponseHead, { index, delta, finish_reason }: ChunkChoice): Frame =>
  chunkFrame(head, [{ index, delta, logprobs: null, finish_reason }], null);

/** Encodes the chunk after the last choice. */
export const usageFrame = (head: ResponseHead, usage: ChatUsage): Frame => chunkFrame(head, [], usage);

/** Encodes a chunk. All chunks have `usage` if the client asked for it, but only the last has a value. */
function chunkFrame(head: ResponseHead, choices: readonly object[], usage: ChatUsage | null): Frame {
  const chunk = {
    ...envelope(head, 'chat.completion.chunk'),
    choices,
    ...(wantsUsage(head.body.value) && { usage }),
  };
  return { data: JSON.stringify(chunk) };
}
