import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { UnusableRow } from '../../settings/stored/stored-rows.ts';
import { causeOfUnusable } from '../../upstream/calling/unusable-cause.ts';
import { type JoinedFault, WELL_FOR_MS } from '../../watch/faults/fault.ts';
import { worstFirst } from '../../watch/faults/fault-words.ts';
import { listView } from '../routes/list.ts';
import type { AdminParts } from './admin-parts.ts';
import { faultView } from './fault-view.ts';

/** Lists the faults that last, the worst first. With `includesEnded`, it also lists those that have ended. */
export async function listFaults(
  { faults, clock }: Pick<AdminParts, 'clock' | 'faults'>,
  snapshot: Snapshot,
  { includesEnded }: { includesEnded: boolean },
) {
  const recorded = (await faults.list()).map((joined) => endedWithProvider(joined, snapshot));
  const selected = [...recorded, ...unusableIn(snapshot, clock.now())].filter(
    ({ endedAt }) => includesEnded || endedAt === null,
  );
  return listView(selected.sort(worstFirst).map(faultView));
}

/** Ends the fault of a provider that was removed, since no call can end it. */
function endedWithProvider(joined: JoinedFault, { providers }: Snapshot): JoinedFault {
  return providers.has(joined.provider)
    ? joined
    : { ...joined, endedAt: joined.endedAt ?? joined.lastAt + WELL_FOR_MS };
}

/** Returns a fault for each stored provider that this process cannot use. They get no calls. */
const unusableIn = ({ providers }: Snapshot, now: number): JoinedFault[] =>
  [...providers.values()].flatMap(({ id, stored }) =>
    stored?.unusable ? [faultOfRow(id, stored.unusable, now)] : [],
  );

const faultOfRow = (providerId: string, { kind, since, reason }: UnusableRow, now: number): JoinedFault => ({
  id: `flt_credential_${providerId}`,
  provider: providerId,
  cause: causeOfUnusable(kind),
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
