import type { StopKind } from '../../canonical/event.ts';

/** The finish reason for each kind of stop, in an answer without a call. */
export const finishReasons = {
  'end-turn': 'stop',
  'max-tokens': 'length',
  'stop-sequence': 'stop',
  'tool-call': 'stop',
  refusal: 'content_filter',
  'content-filter': 'content_filter',
  'context-window': 'length',
  pause: 'stop',
  other: 'stop',
} as const satisfies Record<StopKind, string>;
