import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { type LearnedRefusal, rowOfRefusal } from '../../upstream/routing/learned-refusals.ts';
import type { RefusalGroup } from '../../watch/refusals/refusal-store.ts';
import { remedyFor, remedyHref } from '../../watch/refusals/remedies.ts';
import type { ViewOf } from '../routes/typed-route.ts';

/** The requests that were refused for one cause. */
export const refusedRequests = Type.Object(
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

/** A parameter that a provider has refused, and that the gateway leaves out since then. */
export const learnedRefusal = Type.Object(
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

/** Shows the refused requests of one cause, with what ends the refusals. */
export function refusedRequestsView(group: RefusalGroup): ViewOf<typeof refusedRequests> {
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

export const learnedRefusalView = (refusal: LearnedRefusal): ViewOf<typeof learnedRefusal> => ({
  provider: refusal.provider,
  model: refusal.model,
  member: refusal.member,
  learned_at: isoTime(refusal.learnedAt),
  expires_at: isoTime(refusal.expiresAt),
  requests: refusal.requests,
  row: rowOfRefusal(refusal),
});
