import { mayOperate } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { textColumn } from '../../components/columns.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import { ProviderCard } from './provider-card.tsx';
import type { FaultRow, ProviderRow } from './rows.ts';
import { sortProviders } from './sort-providers.ts';
import { useFaults } from './use-faults.ts';

/** Providers with their health, their slots, their queues and their latest errors. */
export function ProvidersPage() {
  const list = useQuery<ListOf<ProviderRow>>(`${OPERATOR}/providers`, { pollMs: 3_000 });
  const faults = useFaults();
  return (
    <>
      <PageHeader
        title="Providers"
        lead="Health, slots and errors of all processes. Providers with a fault come first."
        actions={mayOperate.value && <LinkButton href="/operator/providers/new">Add provider</LinkButton>}
      />
      <Loaded query={list}>
        {({ data }) => <Providers providers={data} faults={faults.data?.data ?? []} />}
      </Loaded>
    </>
  );
}

type ProvidersProps = { providers: readonly ProviderRow[]; faults: readonly FaultRow[] };

function Providers({ providers, faults }: ProvidersProps) {
  const { used, standIns, unused } = sortProviders(providers);
  const cards = used.map((provider) => ({
    provider,
    faults: faults.filter((fault) => fault.provider === provider.id),
  }));
  // A fallback can hide a fault from the health.
  const faultyFirst = cards.toSorted((a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0));
  return (
    <>
      {faultyFirst.map((card) => (
        <ProviderCard key={card.provider.id} {...card} />
      ))}
      {standIns.length > 0 && (
        <Variables
          title="Simulated"
          lead="The simulator answers for these providers. They have had no calls yet."
          providers={standIns}
        />
      )}
      {unused.length > 0 && (
        <Variables
          title="Not set up"
          lead="Add the provider with its key, or set its variables and restart the server."
          providers={unused}
        />
      )}
    </>
  );
}

type VariablesProps = { title: string; lead: string; providers: readonly ProviderRow[] };

const Variables = ({ title, lead, providers }: VariablesProps) => (
  <Section title={title} lead={lead}>
    <Table caption={title} columns={variableColumns} rows={providers} />
  </Section>
);

const variableColumns: readonly Column<ProviderRow>[] = [
  textColumn('id', 'Provider', ({ id }) => id),
  textColumn('variables', 'Missing variables', ({ missing_variables }) => (
    <code>{missing_variables.join(', ')}</code>
  )),
];
