import type { Stop, StopKind } from '../../canonical/event.ts';
import type { FinalStatus } from './interaction-head.ts';

const statuses: Readonly<Record<StopKind, FinalStatus>> = {
  'end-turn': 'completed',
  'stop-sequence': 'completed',
  'tool-call': 'requires_action',
  pause: 'completed',
  'max-tokens': 'incomplete',
  'context-window': 'incomplete',
  refusal: 'incomplete',
  'content-filter': 'incomplete',
  other: 'completed',
};

const BLOCKED: ReadonlySet<StopKind> = new Set<StopKind>(['refusal', 'content-filter']);

/** Returns the status of an interaction that has ended, and the reason if its answer was blocked. */
export function encodeStop({ kind }: Stop, hasCalled: boolean): { status: FinalStatus; errors?: object[] } {
  const status = statuses[kind];
  if (BLOCKED.has(kind)) return { status, errors: [{ code: 'safety', message: 'The answer was blocked.' }] };
  return { status: status === 'completed' && hasCalled ? 'requires_action' : status };
}
