import type { Stop, StopKind } from '../../canonical/event.ts';

/** The vendor's words for the kinds of stops. No word stands for calls and stop sequences alone. */
const reasons: Readonly<Record<StopKind, string>> = {
  'end-turn': 'STOP',
  'stop-sequence': 'STOP',
  'tool-call': 'STOP',
  pause: 'STOP',
  'max-tokens': 'MAX_TOKENS',
  'context-window': 'MAX_TOKENS',
  refusal: 'SAFETY',
  'content-filter': 'SAFETY',
  other: 'OTHER',
};

/** Words that this vendor's models end with, which say more than the kind. */
const OWN =
  /^(RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_[A-Z_]+|MODEL_ARMOR|[A-Z]+_TOOL_CALLS?)$/;

/** Returns the finish reason for clients of this vendor. */
export const finishReason = ({ kind, raw }: Stop): string =>
  raw !== undefined && OWN.test(raw) ? raw : reasons[kind];
