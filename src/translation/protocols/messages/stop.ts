import { lookUp } from '../../../base/lib/records.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';

const stopKinds: Readonly<Record<string, StopKind>> = {
  end_turn: 'end-turn',
  max_tokens: 'max-tokens',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-call',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context-window',
};

/** The stop reasons. Clients expect one of four reasons or `refusal`, so other kinds map to the nearest. */
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
} as const satisfies Readonly<Record<StopKind, string>>;

/** Decodes the end of a message. Hosts that imitate the vendor can omit its reason. */
export function decodeStop(reason: string | undefined, sequence: string | undefined): Stop {
  return {
    kind: lookUp(stopKinds, reason) ?? 'other',
    ...(reason !== undefined && { raw: reason }),
    ...(sequence !== undefined && { sequence }),
  };
}

/**
 * Encodes the stop. Some vendors end a turn with calls like any other, but agents continue only on
 * `tool_use`.
 */
export function encodeStop({ kind, sequence }: Stop, hasCalls: boolean) {
  const reason = stopReasons[kind];
  return {
    stop_reason: reason === 'end_turn' && hasCalls ? 'tool_use' : reason,
    stop_sequence: sequence ?? null,
    stop_details: null,
  };
}
