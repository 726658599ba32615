import { isoTime } from '../../base/lib/iso-time.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import { type LearnedRefusal, rowOfRefusal } from '../../upstream/routing/learned-refusals.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';

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

export const refusalList = Type.Object({ data: Type.Array(refusal) }, { title: 'Learned Refusals' });

const group = { group: 'Admin: operation', key: 'admin' } as const;

const listing = {
  ...group,
  summary: 'Lists the learned refusals: optional parameters that providers refused',
  answer: 'The refusals that the answering process remembers, the newest first.',
  answerSchema: refusalList,
} satisfies RouteDescription;

const forgetting = {
  ...group,
  summary: 'Forgets the learned refusals, so the gateway sends the parameters again',
  answer: 'The number of forgotten refusals.',
  answerSchema: Type.Object({ forgotten: Type.Integer() }, { title: 'Forgotten Refusals' }),
} satisfies RouteDescription;

/** The routes for what the gateway learned from providers' refusals. */
export function refusalRoutes({ learned, accounts }: AdminDependencies): Route[] {
  const path = '/admin/v1/refusals';
  return [
    {
      method: 'GET',
      path,
      describe: listing,
      handle: async () => jsonReply(200, { data: learned.list().map(refusalView) }),
    },
    {
      method: 'DELETE',
      path,
      describe: forgetting,
      async handle(exchange) {
        const forgotten = learned.forget();
        const after = { forgotten };
        await accounts.record('refusals-forgotten', 'refusals', {
          before: null,
          after,
          actor: actorOf(exchange),
        });
        return jsonReply(200, after);
      },
    },
  ];
}

const refusalView = (one: LearnedRefusal) => ({
  provider: one.provider,
  model: one.model,
  member: one.member,
  learned_at: isoTime(one.learnedAt),
  expires_at: isoTime(one.expiresAt),
  requests: one.requests,
  row: rowOfRefusal(one),
});
