import { isObject } from '../../base/lib/is-object.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { AuditRecord } from '../../money/accounts/audit.ts';
import type { ViewOf } from '../routes/typed-route.ts';

/** An entry of the audit log. */
export const auditEntry = Type.Object(
  {
    id: Type.String(),
    at: time,
    actor: Type.String({
      description: 'The name of the admin token that made the change. `admin`: the first token.',
    }),
    action: Type.String({ description: 'The kind of change, for example `account-create`.' }),
    target: Type.String({ description: 'The id of the changed object.' }),
    before: Type.Unknown(),
    after: Type.Unknown(),
    changes: Type.Integer({
      description: 'The number of repeated changes of one field that the entry stands for.',
    }),
  },
  { title: 'Audit Entry' },
);

/** Shows an entry of the audit log. */
export const auditView = (record: AuditRecord): ViewOf<typeof auditEntry> => ({
  id: record.id,
  at: isoTime(record.at),
  actor: record.actor,
  action: record.action,
  target: record.target,
  before: outward(record.before),
  after: outward(record.after),
  changes: record.changes,
});

/** Converts `monthlyCapUsd` to `monthly_cap_usd`. A name such as `cache_write_1h` or `X-Name` stays. */
const snakeCase = (name: string): string =>
  name.replace(/(?<=[a-z])[A-Z0-9]+/g, (part) => `_${part.toLowerCase()}`);

/** Converts the names and times of an entry to the API's form. */
function outward(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outward);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      snakeCase(name),
      name.endsWith('At') && typeof field === 'number' ? isoTime(field) : outward(field),
    ]),
  );
}
