import type { AdminParts } from './admin-parts.ts';
import { gatherParsed } from './gather-parsed.ts';
import { type QueueRowView, queueRowView } from './queue-view.ts';

/** Selects queued requests. A member that is left out selects all of them. */
export type QueueFilter = {
  limit: number;
  class?: string | undefined;
  provider?: string | undefined;
  account?: string | undefined;
};

/** `total` counts the selected requests, also those beyond the limit. */
export type QueuePage = { rows: QueueRowView[]; total: number };

type Sources = Pick<AdminParts, 'capacity' | 'nodes' | 'clock' | 'fleet'>;

/** Returns the queued requests of all processes that share the port, the oldest first. */
export async function queueInFleet(filter: QueueFilter, sources: Sources): Promise<QueuePage> {
  if (!sources.fleet) return queueOfProcess(filter, sources);
  const pages = await gatherParsed<QueuePage>(sources.fleet, 'queue', JSON.stringify(filter));
  const rows = pages.flatMap((page) => page.rows).sort((first, second) => second.waited_ms - first.waited_ms);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  return { rows: rows.slice(0, filter.limit), total };
}

/** Answers the other processes with this process's queue. */
export const answerQueue = (sources: Sources): void =>
  sources.fleet?.answer('queue', (filter) =>
    JSON.stringify(queueOfProcess(JSON.parse(filter) as QueueFilter, sources)),
  );

function queueOfProcess(filter: QueueFilter, { capacity, nodes, clock }: Sources): QueuePage {
  const selected = capacity
    .queued()
    .filter(
      ({ planClass, providers, account }) =>
        (filter.class === undefined || filter.class === planClass) &&
        (filter.provider === undefined || providers.includes(filter.provider)) &&
        (filter.account === undefined || filter.account === account),
    );
  const node = nodes.ownId();
  const now = clock.now();
  return {
    rows: selected.slice(0, filter.limit).map((request) => queueRowView(request, node, now)),
    total: selected.length,
  };
}
