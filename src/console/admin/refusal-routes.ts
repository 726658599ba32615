import { Refusal } from '../../base/errors/refusal.ts';
import { timeIfGiven } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { queryTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RefusalGroup } from '../../watch/refusals/refusal-store.ts';
import { filterField } from '../routes/filter-field.ts';
import type { AdminParts } from './admin-parts.ts';
import { adminRouteWith } from './admin-route.ts';
import { learnedRefusal, learnedRefusalView, refusedRequests, refusedRequestsView } from './refusal-view.ts';

const route = adminRouteWith<'accounts' | 'clock' | 'learned' | 'refusals'>();

const shared = { group: 'Admin: operation', path: '/admin/v1/refusals' } as const;

/** The routes for refused requests, and for what the gateway learned from providers' refusals. */
export const refusalRoutes = [
  route(
    {
      ...shared,
      method: 'GET',
      summary: 'Lists refused requests by cause, and the parameters that providers refused',
      query: Type.Object({
        from: queryTime('Only requests that were refused from this hour on, ISO 8601. Default: a day ago.'),
        to: queryTime('Only requests that were refused before the end of this hour, ISO 8601. Default: now.'),
        account: filterField('Only requests of the account with this id.'),
        kind: Type.Optional(
          Type.Enum(['requests', 'learned'], {
            description: '`requests`: only refused requests. `learned`: only learned refusals.',
          }),
        ),
      }),
      answer: Type.Object(
        {
          object: Type.Literal('list'),
          data: Type.Array(Type.Union([refusedRequests, learnedRefusal])),
          has_more: Type.Literal(false),
        },
        { title: 'Refusals' },
      ),
      errors: ['invalid_request'],
      returns:
        'The causes of refused requests, the most frequent first. The refusals that the answering process has learned follow, the newest first.',
    },
    async ({ query: { kind, ...filter } }, parts) => {
      const groups = kind === 'learned' ? [] : await listRefusals(filter, parts);
      // A learned refusal belongs to no account, so the requests of one account are listed alone.
      const showsLearned = kind === 'learned' || (kind === undefined && filter.account === undefined);
      const learned = showsLearned ? parts.learned.list() : [];
      return {
        object: 'list' as const,
        data: [...groups.map(refusedRequestsView), ...learned.map(learnedRefusalView)],
        has_more: false as const,
      };
    },
  ),
  route(
    {
      ...shared,
      method: 'DELETE',
      summary: 'Forgets the learned refusals, so the gateway sends the parameters again',
      answer: Type.Object({ forgotten: Type.Integer() }, { title: 'Forgotten Refusals' }),
      returns: 'The number of forgotten refusals.',
    },
    async ({ actor }, { learned: refusals, accounts }) => {
      const after = { forgotten: refusals.forget() };
      await accounts.record('refusals-forget', 'refusals', { before: null, after, actor });
      return after;
    },
  ),
];

/** Lists the causes of refused requests. The default is those of the last day. */
async function listRefusals(
  filter: { from?: string; to?: string; account?: string },
  { refusals, clock }: Pick<AdminParts, 'refusals' | 'clock'>,
): Promise<RefusalGroup[]> {
  const to = timeIfGiven(filter.to) ?? clock.now() + 1;
  const from = timeIfGiven(filter.from) ?? to - DAY_MS;
  if (from >= to) throw new Refusal('invalid_request', { message: 'from must be before to.', param: 'from' });
  return refusals.listRefusals({ from, to, account: filter.account });
}
