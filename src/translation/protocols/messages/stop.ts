import type { Stop, StopKind } from '../../canonical/event.ts';

const stopKinds: Record<string, StopKind> = {
  end_turn: 'end-turn',
  max_tokens: 'max-tokens',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-call',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context-window',
};

export function decodeStop(reason: string | undefined, sequence: string | undefined): Stop {
  return {
    kind: (reason !== undefined && stopKinds[reason]) || 'other',
    ...(reason !== undefined && { raw: reason }),
    ...(sequence !== undefined && { sequence }),
  };
}

/** Clients were promised four reasons and `refusal`: the rest of what vendors say is told as the nearest of them. */
const stopReasons = {
  'end-turn': 'end_turn',
  'max-tokens': 'max_tokens',
  'stop-sequence': 'stop_sequence',
  'tool-call': 'tool_use',
  refusal: 'refusal',
  'content-filter': 'refusal',
  'context-window': 'max_tokens',
  pause: 'end_turn',
  other: 'end_turn',
} as const satisfies Record<StopKind, string>;

/** Some vendors end a turn of calls like any other; agents go on only when told of the calls. */
export function encodeStop({ kind, sequence }: Stop, hasCalls: boolean) {
  const reason = stopReasons[kind];
  return {
    stop_reason: reason === 'end_turn' && hasCalls ? 'tool_use' : reason,
    stop_sequence: sequence ?? null,
    stop_details: null,
  };
}
