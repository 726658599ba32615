import { Refusal } from '../../base/errors/refusal.ts';
import { timeIfGiven } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { RefusalGroup } from '../../watch/refusals/refusal-store.ts';
import type { AdminParts } from './admin-parts.ts';
import { learnedRefusalView, refusedRequestsView } from './refusal-view.ts';

type RefusalParts = Pick<AdminParts, 'clock' | 'learned' | 'refusals'>;
type RefusalFilter = { from?: string; to?: string; account?: string };

/** Lists the causes of refused requests, and after them what the gateway learned from refusals. */
export async function listRefusals(
  { kind, ...filter }: RefusalFilter & { kind?: 'requests' | 'learned' },
  parts: RefusalParts,
) {
  const groups = kind === 'learned' ? [] : await refusedRequestsOf(filter, parts);
  // A learned refusal belongs to no account, so the requests of one account are listed alone.
  const showsLearned = kind === 'learned' || (kind === undefined && filter.account === undefined);
  const learned = showsLearned ? parts.learned.list() : [];
  return {
    object: 'list' as const,
    data: [...groups.map(refusedRequestsView), ...learned.map(learnedRefusalView)],
    has_more: false as const,
  };
}

/** Returns the causes of refused requests. By default it returns the causes of the last day. */
async function refusedRequestsOf(
  filter: RefusalFilter,
  { refusals, clock }: RefusalParts,
): Promise<RefusalGroup[]> {
  const to = timeIfGiven(filter.to) ?? clock.now() + 1;
  const from = timeIfGiven(filter.from) ?? to - DAY_MS;
  if (from >= to) throw new Refusal('invalid_request', { message: 'from must be before to.', param: 'from' });
  return refusals.listRefusals({ from, to, account: filter.account });
}
