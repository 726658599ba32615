import { isoTime } from '../../base/lib/iso-time.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { type LearnedRefusal, rowOfRefusal } from '../../upstream/routing/learned-refusals.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { adminRoute } from './admin-route.ts';

const refusal = Type.Object(
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

/** The routes for what the gateway learned from providers' refusals. */
export const refusalRoutes = [
  adminRoute(
    {
      ...shared,
      method: 'GET',
      summary: 'Lists the learned refusals: optional parameters that providers refused',
      answer: Type.Object({ data: Type.Array(refusal) }, { title: 'Learned Refusals' }),
      returns: 'The refusals that the answering process remembers, the newest first.',
    },
    (_, { learned }) => ({ data: learned.list().map(refusalView) }),
  ),
  adminRoute(
    {
      ...shared,
      method: 'DELETE',
      summary: 'Forgets the learned refusals, so the gateway sends the parameters again',
      answer: Type.Object({ forgotten: Type.Integer() }, { title: 'Forgotten Refusals' }),
      returns: 'The number of forgotten refusals.',
    },
    async ({ actor }, { learned, accounts }) => {
      const after = { forgotten: learned.forget() };
      await accounts.record('refusals-forgotten', 'refusals', { before: null, after, actor });
      return after;
    },
  ),
];

const refusalView = (one: LearnedRefusal): ViewOf<typeof refusal> => ({
  provider: one.provider,
  model: one.model,
  member: one.member,
  learned_at: isoTime(one.learnedAt),
  expires_at: isoTime(one.expiresAt),
  requests: one.requests,
  row: rowOfRefusal(one),
});
