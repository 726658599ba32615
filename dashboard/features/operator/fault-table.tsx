import type { Query } from '../../app/use-query.ts';
import { Status } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { headerColumn, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { List } from '../../components/list.tsx';
import { Section } from '../../components/section.tsx';
import { failedCalls } from './fault-calls.tsx';
import type { ListOf } from './operator-api.ts';
import { providerHref } from './provider-href.ts';
import type { FaultRow } from './rows.ts';

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

const columns: readonly Column<FaultRow>[] = [
  headerColumn('provider', 'Provider', ({ provider, model }) => (
    <>
      <a href={providerHref(provider)}>{provider}</a>
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
      <Status tone={severity === 'error' ? 'bad' : 'warning'}>{cause.replaceAll('_', ' ')}</Status>
      <p>{reason}</p>
    </>
  )),
  textColumn('remedy', 'What ends it', ({ remedy }) => remedy),
  numberColumn('count', 'Calls', failedCalls),
  timeColumn('first', 'First', ({ first_at }) => first_at),
  timeColumn('last', 'Last', ({ last_at }) => last_at),
];
