import { isoTime } from '../../base/lib/iso-time.ts';
import type { AuditRecord } from '../../money/accounts/audit.ts';

export const auditView = ({ id, at, actor, action, target, before, after, changes }: AuditRecord) => ({
  id,
  at: isoTime(at),
  actor,
  action,
  target,
  before: outward(before),
  after: outward(after),
  changes,
});

const snakeCase = (name: string): string =>
  name.replace(/[A-Z0-9]+/g, (part, place) => (place === 0 ? part : `_${part.toLowerCase()}`));

/** Converts the internal names and times of an entry to those of the API. */
function outward(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outward);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      snakeCase(name),
      name.endsWith('At') && typeof field === 'number' ? isoTime(field) : outward(field),
    ]),
  );
}
