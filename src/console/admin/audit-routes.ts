import { isoTime, timeIfGiven } from '../../base/lib/iso-time.ts';
import { queryTime, time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { AuditRecord } from '../../money/accounts/audit.ts';
import { filterField } from '../routes/filter-field.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts'>();

const auditEntry = Type.Object(
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

/** The route for the audit log. */
export const auditRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/audit',
      group: 'Admin: operation',
      summary: 'Lists the audit log',
      query: Type.Object({
        actor: filterField('Only changes by this actor.'),
        action: filterField('Only changes of this kind, like `key-revoke`.'),
        target: filterField('Only changes of the object with this id.'),
        since: queryTime('Only changes at or after this time, ISO 8601.'),
        until: queryTime('Only changes at or before this time, ISO 8601.'),
        ...pageFields,
      }),
      answer: listOf(auditEntry),
      returns: 'A page of changes and events: actor, action, target, time, and the values before and after.',
    },
    async ({ query: { since, until, limit, after, ...filters } }, { accounts }) => {
      const page = pageOf({ limit, after });
      if (after !== undefined && !(await accounts.findAudit(after)))
        return unknownAfter('an entry of the audit log');
      const { items, hasMore } = await accounts.listAudit({
        ...page,
        ...filters,
        since: timeIfGiven(since),
        until: timeIfGiven(until),
      });
      return listView(items.map(auditView), hasMore);
    },
  ),
];

const auditView = (record: AuditRecord): ViewOf<typeof auditEntry> => ({
  id: record.id,
  at: isoTime(record.at),
  actor: record.actor,
  action: record.action,
  target: record.target,
  before: outward(record.before),
  after: outward(record.after),
  changes: record.changes,
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
