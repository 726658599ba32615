import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { UnusableRow } from '../../settings/stored/stored-rows.ts';
import { failureCauses } from '../../upstream/calling/failure-cause.ts';
import { type JoinedFault, WELL_FOR_MS } from '../../watch/faults/fault.ts';
import { reasonOf, remedyOf, severityOf, worstFirst } from '../../watch/faults/fault-words.ts';
import { listOf, listView } from '../routes/list.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'clock' | 'faults'>();

const text = Type.String();

const fault = Type.Object(
  {
    id: text,
    provider: text,
    model: orNull(text, "The provider's name for the model. `null` means several, or none."),
    cause: Type.Enum([...failureCauses, 'credential_unreadable']),
    first_at: time,
    last_at: time,
    count: Type.Integer({ description: 'The number of failed calls.' }),
    hidden_by_fallback: Type.Integer({
      description: 'The failed calls whose request another target then answered. Their clients saw no error.',
    }),
    reason: Type.String({ description: 'The cause in words, with those of the provider.' }),
    remedy: Type.String({ description: 'What ends the fault.' }),
    severity: Type.Enum(['error', 'warning'], {
      description: '`error`: an operator must end it. `warning`: the cause can end by itself.',
    }),
    ended_at: orNull(time, '`null` means that the fault lasts.'),
  },
  { title: 'Provider Fault' },
);

/** The route for faults of providers. */
export const faultRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/faults',
      group: 'Admin: operation',
      summary: 'Lists the faults of providers, even those that fallbacks have hidden from clients',
      query: Type.Object({
        ended: Type.Optional(Type.Boolean({ description: 'true: also faults that have ended.' })),
      }),
      answer: listOf(fault),
      returns:
        'The faults of all processes, the worst first. One refused key is a fault. Other causes are faults from three failed calls in five minutes, or when calls of a target are paused. A fault ends five minutes after a success, if no call fails meanwhile.',
    },
    async ({ query: { ended = false }, exchange: { snapshot } }, { faults, clock }) => {
      const recorded = (await faults.list()).map((joined) => endedWithProvider(joined, snapshot));
      const selected = [...recorded, ...unreadableIn(snapshot, clock.now())].filter(
        ({ endedAt }) => ended || endedAt === null,
      );
      return listView(selected.sort(worstFirst).map(faultView));
    },
  ),
];

/** Ends the fault of a provider that was removed, since no call can end it. */
function endedWithProvider(joined: JoinedFault, { providers }: Snapshot): JoinedFault {
  return providers.has(joined.provider)
    ? joined
    : { ...joined, endedAt: joined.endedAt ?? joined.lastAt + WELL_FOR_MS };
}

/** Returns a fault for each provider whose stored credential this process cannot read. They get no calls. */
const unreadableIn = ({ providers }: Snapshot, now: number): JoinedFault[] =>
  [...providers.values()].flatMap(({ id, stored }) =>
    stored?.unusable ? [credentialFault(id, stored.unusable, now)] : [],
  );

const credentialFault = (providerId: string, { since, reason }: UnusableRow, now: number): JoinedFault => ({
  id: `flt_credential_${providerId}`,
  provider: providerId,
  cause: 'credential_unreadable',
  model: null,
  firstAt: since,
  lastAt: now,
  wellAt: null,
  failures: 1,
  hidden: 0,
  isRaised: true,
  status: null,
  message: reason,
  endedAt: null,
});

const faultView = (joined: JoinedFault): ViewOf<typeof fault> => ({
  id: joined.id,
  provider: joined.provider,
  model: joined.model,
  cause: joined.cause,
  first_at: isoTime(joined.firstAt),
  last_at: isoTime(joined.lastAt),
  count: joined.failures,
  hidden_by_fallback: joined.hidden,
  reason: reasonOf(joined),
  remedy: remedyOf(joined),
  severity: severityOf(joined),
  ended_at: isoTimeOrNull(joined.endedAt),
});
