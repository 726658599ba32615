import { isObject } from '../../../base/lib/is-object.ts';
import type { Frame, ResponseHead } from '../../contract/codec.ts';
import type { ChatUsage } from '../openai/openai-usage.ts';
import type { FinishReason } from './stop.ts';

export type ChunkChoice = { index: number; delta: object; finish_reason: FinishReason | null };

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
 * Reports whether the client asked for a last chunk with the usage. Every other chunk then has `usage: null`.
 */
export function wantsUsage({ body }: ResponseHead): boolean {
  const options = body.value.stream_options;
  return isObject(options) && options.include_usage === true;
}

/**
 * Returns true for clients that use `functions`, the predecessor of `tools`. They read a single call, in a
 * field of its own.
 */
export const wantsFunctionCall = ({ body }: ResponseHead): boolean =>
  Array.isArray(body.value.functions) && !Array.isArray(body.value.tools);

export function chunkFrame(head: ResponseHead, choices: ChunkChoice[], usage?: ChatUsage): Frame {
  const chunk = {
    ...envelope(head, 'chat.completion.chunk'),
    choices: choices.map(({ index, delta, finish_reason }) => ({
      index,
      delta,
      logprobs: null,
      finish_reason,
    })),
    ...(wantsUsage(head) && { usage: usage ?? null }),
  };
  return { data: JSON.stringify(chunk) };
}
