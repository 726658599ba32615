import { isoTime } from '../../../base/lib/iso-time.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import type { AnswerIdentity } from '../../contract/response-head.ts';

/** The values of the request that an interaction's object has. */
type InteractionHead = AnswerIdentity & {
  body: { value: Readonly<Record<string, unknown>> };
};

/** Formats a Unix time in seconds as Google does, without a fraction. */
export const timeOfSeconds = (seconds: number): string => isoTime(seconds * 1_000).replace('.000Z', 'Z');

/** The states of an interaction that the gateway shows, apart from failures. */
type InteractionStatus = 'queued' | 'in_progress' | FinalStatus;

/** The states of an interaction that has ended with an answer. */
export type FinalStatus = 'completed' | 'requires_action' | 'incomplete';

/** Encodes the members that an interaction has from its beginning. */
export function encodeHead(
  { responseId, model, createdAt, body }: InteractionHead,
  status: InteractionStatus,
) {
  const { previous_interaction_id: previous } = body.value;
  return {
    id: responseId,
    object: 'interaction',
    created: timeOfSeconds(createdAt),
    updated: timeOfSeconds(Math.max(createdAt, unixSeconds())),
    model,
    status,
    ...(typeof previous === 'string' && { previous_interaction_id: previous }),
  };
}
