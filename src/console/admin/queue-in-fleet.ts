import type { AdminParts } from './admin-parts.ts';
import { type QueueRowView, queueRowView } from './queue-view.ts';

/** Selects queued requests. Each part that is present must fit. */
export type QueueFilter = {
  limit: number;
  class?: string | undefined;
  provider?: string | undefined;
  account?: string | undefined;
};

/** `total`: the number of requests that fit, also beyond the limit. */
export type QueuePage = { rows: QueueRowView[]; total: number };

type Sources = Pick<AdminParts, 'capacity' | 'nodes' | 'clock' | 'fleet'>;

/** Returns the queued requests of all processes that share the port, the oldest first. */
export async function queueInFleet(filter: QueueFilter, sources: Sources): Promise<QueuePage> {
  if (!sources.fleet) return ownQueue(filter, sources);
  const answers = await sources.fleet.gather('queue', JSON.stringify(filter));
  const pages = answers.flatMap(({ answer }) => (answer === '' ? [] : [JSON.parse(answer) as QueuePage]));
  const rows = pages.flatMap((page) => page.rows).toSorted((one, other) => other.waited_ms - one.waited_ms);
  return { rows: rows.slice(0, filter.limit), total: pages.reduce((sum, page) => sum + page.total, 0) };
}

/** Answers the other processes with this process's queue. */
export const answerQueue = (sources: Sources): void =>
  sources.fleet?.answer('queue', (filter) =>
    JSON.stringify(ownQueue(JSON.parse(filter) as QueueFilter, sources)),
  );

function ownQueue(filter: QueueFilter, { capacity, nodes, clock }: Sources): QueuePage {
  const fits = capacity
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
    rows: fits.slice(0, filter.limit).map((request) => queueRowView(request, node, now)),
    total: fits.length,
  };
}
