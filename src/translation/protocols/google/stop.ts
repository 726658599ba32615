import type { Stop, StopKind } from '../../canonical/event.ts';

/** https://ai.google.dev/api/generate-content#FinishReason */
const stopKinds: Record<string, StopKind> = {
  STOP: 'end-turn',
  MAX_TOKENS: 'max-tokens',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
};

/** The model tried to call a tool and its answer came out as nothing: another attempt may do better. */
const failedReasons = new Set(['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL']);

export const isFailedAnswer = (reason: string): boolean => failedReasons.has(reason);

/** A turn that ends in calls has no reason of its own here. */
export function stopOf(reason: string, called: boolean): Stop {
  const kind = stopKinds[reason] ?? 'other';
  return { kind: kind === 'end-turn' && called ? 'tool-call' : kind, raw: reason };
}
