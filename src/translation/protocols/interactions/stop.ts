import type { Refusal } from '../../../base/errors/refusal.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';
import { refusalOf } from './refusal-of.ts';

const stopKinds: Readonly<Record<string, StopKind>> = {
  completed: 'end-turn',
  requires_action: 'tool-call',
  incomplete: 'max-tokens',
  requires_continuation: 'max-tokens', // the limit of one request, in long answers
  budget_exceeded: 'max-tokens',
};

/** Statuses of an interaction that has ended without an answer. */
const failed: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** Reports whether an interaction with this status has ended. */
export const isEnd = (status: string): boolean =>
  lookUp(stopKinds, status) !== undefined || failed.has(status);

type Ending = { errors: readonly unknown[]; hasCalled: boolean };

/** Reads the end of an interaction. A blocked answer ends with the vendor's reason, whatever its status. */
export function stopOf(status: string, { errors, hasCalled }: Ending): { stop: Stop } | { refusal: Refusal } {
  const refusal = errors.length > 0 || failed.has(status) ? refusalOf(objectOf(errors[0])) : undefined;
  if (refusal?.code === 'content_filter') return { stop: { kind: 'content-filter', raw: status } };
  if (refusal && failed.has(status)) return { refusal };
  const kind = lookUp(stopKinds, status) ?? 'other';
  return { stop: { kind: kind === 'end-turn' && hasCalled ? 'tool-call' : kind, raw: status } };
}
