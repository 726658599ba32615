import { useEvents } from '../../app/events.ts';
import { type Query, useQuery } from '../../app/use-query.ts';
import { headerColumn, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { formatNumber } from '../../components/format.ts';
import { List } from '../../components/list.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { HealthStatus } from './health-status.tsx';
import { type List as ListOf, OPERATOR } from './operator-api.ts';
import type { FaultRow } from './rows.ts';

const POLL_MS = 5_000;

/**
 * Reads the faults of providers that last. A new one is shown at once, and counts are refreshed in intervals.
 */
export function useFaults(): Query<ListOf<FaultRow>> {
  const faults = useQuery<ListOf<FaultRow>>(`${OPERATOR}/faults`, { pollMs: POLL_MS });
  useEvents({ topic: 'operations' }, (name) => {
    if (name === 'fault') void faults.refresh();
  });
  return faults;
}

/** The faults of providers, the worst first, with what ends each. */
export const FaultTable = ({ faults }: { faults: Query<ListOf<FaultRow>> }) => (
  <Section
    title="Faults of providers"
    lead="Found in calls, even where another provider then answered. A fault ends five minutes after a success."
  >
    <List
      query={faults}
      caption="Faults of providers"
      columns={columns}
      rowKey={({ id }) => id}
      sortParam="none"
      empty={<p class="soft">No provider has a fault.</p>}
      expectedRows={2}
    />
  </Section>
);

/** A fault on the card of its provider. */
export const FaultNotice = ({ fault }: { fault: FaultRow }) => (
  <Notice kind={fault.severity} title={fault.reason}>
    <p>{fault.remedy}</p>
    <p class="soft">
      First <Time at={fault.first_at} isRelative />, last <Time at={fault.last_at} isRelative />, failed
      calls: {countText(fault)}
      {fault.model && `, model ${fault.model}`}
    </p>
  </Notice>
);

/** Shows how often calls failed, and how often clients did not see it. */
export const countText = ({ count, hidden_by_fallback: hidden }: FaultRow): string =>
  hidden === 0 ? formatNumber(count) : `${formatNumber(count)} (${formatNumber(hidden)} hidden by fallback)`;

const columns: readonly Column<FaultRow>[] = [
  headerColumn('provider', 'Provider', ({ provider, model }) => (
    <>
      <a href={`/operator/providers/${encodeURIComponent(provider)}`}>{provider}</a>
      {model && (
        <>
          {' '}
          <code>{model}</code>
        </>
      )}
    </>
  )),
  textColumn('cause', 'Fault', ({ cause, severity, reason }) => (
    <>
      <HealthStatus state={cause} tone={severity === 'error' ? 'bad' : 'warning'} />
      <p>{reason}</p>
    </>
  )),
  textColumn('remedy', 'What ends it', ({ remedy }) => remedy),
  numberColumn('count', 'Calls', countText),
  timeColumn('first', 'First', ({ first_at }) => first_at),
  timeColumn('last', 'Last', ({ last_at }) => last_at),
];
