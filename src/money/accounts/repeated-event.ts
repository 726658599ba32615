import type { AuditEntry } from './audit.ts';

/**
 * An event that can be repeated often.
 * Its entry has the details, how often it happened as `times`, and `lastAt`.
 */
export type RepeatedEvent = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'target'> & {
  details: Readonly<Record<string, string | number | null>>;
  times: number;
};

/** Returns the entry of an event that has not happened since `JOINED_MS`. */
export const entryOfEvent = ({ details, times, ...event }: RepeatedEvent): AuditEntry => ({
  ...event,
  before: null,
  after: { ...details, times, lastAt: event.at },
});
