import { queryTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { filterField } from '../routes/filter-field.ts';
import { adminRouteWith } from './admin-route.ts';
import { listRefusals } from './list-refusals.ts';
import { learnedRefusal, refusedRequests } from './refusal-view.ts';

const route = adminRouteWith<'accounts' | 'clock' | 'learned' | 'refusals'>();

const refusalRoute = { group: 'Admin: operation', path: '/admin/v1/refusals' } as const;

/** The routes for refused requests, and for what the gateway learned from providers' refusals. */
export const refusalRoutes = [
  route(
    {
      ...refusalRoute,
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
    ({ query }, parts) => listRefusals(query, parts),
  ),
  route(
    {
      ...refusalRoute,
      method: 'DELETE',
      summary: 'Forgets the learned refusals, so the gateway sends the parameters again',
      answer: Type.Object({ forgotten: Type.Integer() }, { title: 'Forgotten Refusals' }),
      returns: 'The number of refusals that the answering process has forgotten. Others keep theirs.',
    },
    async ({ actor }, { learned, accounts }) => {
      const after = { forgotten: learned.forget() };
      await accounts.record('refusals-forget', 'refusals', { before: null, after, actor });
      return after;
    },
  ),
];
