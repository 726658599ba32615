import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime, timeIfGiven } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { queryTime, time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { type LearnedRefusal, rowOfRefusal } from '../../upstream/routing/learned-refusals.ts';
import type { RefusalGroup } from '../../watch/refusals/refusal-store.ts';
import { remedyFor, remedyHref } from '../../watch/refusals/remedies.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts' | 'clock' | 'learned' | 'refusals'>();

const refused = Type.Object(
  {
    code: Type.String({ description: 'The error code that the clients got.' }),
    cause: Type.String({
      description: 'What refused: the limit or the missing resource. Otherwise the code.',
    }),
    count: Type.Integer({ description: 'The number of refused requests.' }),
    accounts: Type.Integer({ description: 'The number of accounts whose requests were refused.' }),
    first_at: time,
    last_at: time,
    remedy: Type.String({ description: 'What ends the refusals.' }),
    setting: orNull(Type.String(), 'The field of the configuration that ends them.'),
    href: Type.String({ description: 'The page of the dashboard that ends them.' }),
  },
  { title: 'Refused Requests' },
);

const learned = Type.Object(
  {
    provider: Type.String(),
    model: Type.String({ description: "The provider's name for the model." }),
    member: Type.String({ description: 'The parameter that is left out, as a word of `refuses`.' }),
    learned_at: time,
    expires_at: time,
    requests: Type.Integer({ description: 'The number of requests that left the parameter out.' }),
    row: Type.String({ description: 'The line of a catalog row that makes the refusal permanent.' }),
  },
  { title: 'Learned Refusal' },
);

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
        account: Type.Optional(Type.String({ description: 'Only requests of the account with this id.' })),
        kind: Type.Optional(
          Type.Enum(['requests', 'learned'], {
            description: '`requests`: only refused requests. `learned`: only learned refusals.',
          }),
        ),
      }),
      answer: Type.Object(
        {
          object: Type.Literal('list'),
          data: Type.Array(Type.Union([refused, learned])),
          has_more: Type.Literal(false),
        },
        { title: 'Refusals' },
      ),
      errors: ['invalid_request'],
      returns:
        'The causes of refused requests, the most frequent first. The refusals that the answering process has learned follow, the newest first.',
    },
    async ({ query: { kind, ...query } }, parts) => {
      const isAboutAccount = query.account !== undefined && kind === undefined;
      const causes = kind === 'learned' ? [] : await listCauses(query, parts);
      const rows = kind === 'requests' || isAboutAccount ? [] : parts.learned.list();
      return {
        object: 'list' as const,
        data: [...causes.map(causeView), ...rows.map(learnedView)],
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

async function listCauses(
  query: { from?: string; to?: string; account?: string },
  { refusals, clock }: Pick<AdminParts, 'refusals' | 'clock'>,
): Promise<RefusalGroup[]> {
  const to = timeIfGiven(query.to) ?? clock.now() + 1;
  const from = timeIfGiven(query.from) ?? to - DAY_MS;
  if (from >= to) throw new Refusal('invalid_request', { message: 'from must be before to.', param: 'from' });
  return refusals.listRefusals({ from, to, account: query.account });
}

function causeView(group: RefusalGroup): ViewOf<typeof refused> {
  const remedy = remedyFor(group);
  return {
    code: group.code,
    cause: group.cause,
    count: group.count,
    accounts: group.accounts,
    first_at: isoTime(group.firstAt),
    last_at: isoTime(group.lastAt),
    remedy: remedy.text,
    setting: remedy.setting,
    href: remedyHref(remedy, group),
  };
}

const learnedView = (refusal: LearnedRefusal): ViewOf<typeof learned> => ({
  provider: refusal.provider,
  model: refusal.model,
  member: refusal.member,
  learned_at: isoTime(refusal.learnedAt),
  expires_at: isoTime(refusal.expiresAt),
  requests: refusal.requests,
  row: rowOfRefusal(refusal),
});
