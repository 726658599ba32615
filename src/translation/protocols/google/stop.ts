import { lookUp } from '../../../base/lib/records.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';

/** https://ai.google.dev/api/generate-content#FinishReason */
const stopKinds: Readonly<Record<string, StopKind>> = {
  STOP: 'end-turn',
  MAX_TOKENS: 'max-tokens',
  CONTINUATION: 'max-tokens', // the limit of one request, in long answers
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  ESCALATION: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
};

/** Finish reasons of an answer that has failed. Another attempt, or another provider, may succeed. */
const failedReasons: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'PUP_LIMITED_DISABLED', // the vendor has limited the account of the operator
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
]);

/** Reports whether an empty answer with this finish reason has failed. */
export const isFailedAnswer = (reason: string): boolean => failedReasons.has(reason);

/** Reads the stop. This vendor has no finish reason for a turn that ends in calls. */
export function stopOf(reason: string, hasCalls: boolean): Stop {
  const kind = lookUp(stopKinds, reason) ?? 'other';
  return { kind: kind === 'end-turn' && hasCalls ? 'tool-call' : kind, raw: reason };
}
