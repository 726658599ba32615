import { timeIfGiven } from '../../base/lib/iso-time.ts';
import { queryTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { filterField } from '../routes/filter-field.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';
import { auditEntry, auditView } from './audit-view.ts';

const route = adminRouteWith<'accounts'>();

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
        throw unknownAfter('an entry of the audit log');
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
