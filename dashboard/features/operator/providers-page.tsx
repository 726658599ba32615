import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { LinkButton } from '../../components/button.tsx';
import { minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { formatDuration } from '../../components/format-time.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { FaultNotice, useFaults } from './fault-table.tsx';
import { HealthStatus } from './health-status.tsx';
import { type List, mayChange, OPERATOR } from './operator-api.ts';
import type { FaultRow, ProviderRow } from './rows.ts';
import { sortProviders } from './sort-providers.ts';

const PATH = `${OPERATOR}/providers`;

/** Providers with their health, their slots, their queues and their latest errors. */
export function ProvidersPage() {
  const list = useQuery<List<ProviderRow>>(PATH, { pollMs: 3_000 });
  const faults = useFaults();
  const faultsOf = ({ id }: ProviderRow) => faults.data?.data.filter(({ provider }) => provider === id) ?? [];
  return (
    <>
      <PageHeader
        title="Providers"
        lead="Health, slots and errors of all processes. Providers with a fault come first."
        actions={mayChange.value && <LinkButton href="/operator/providers/new">Add provider</LinkButton>}
      />
      <Loaded query={list}>
        {({ data }) => {
          const { used, standIns, unused } = sortProviders(data);
          return (
            <>
              {faultyFirst(used, faultsOf).map((provider) => (
                <ProviderCard key={provider.id} provider={provider} faults={faultsOf(provider)} />
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
        }}
      </Loaded>
    </>
  );
}

/** A fallback can hide a fault from the health. */
const faultyFirst = (
  providers: readonly ProviderRow[],
  faultsOf: (provider: ProviderRow) => readonly FaultRow[],
): ProviderRow[] =>
  [...providers].sort((one, other) => Number(faultsOf(other).length > 0) - Number(faultsOf(one).length > 0));

function ProviderCard({ provider, faults }: { provider: ProviderRow; faults: readonly FaultRow[] }) {
  const { id, health, last_error: error, latency_ms: latency } = provider;
  return (
    <Section isCard title={id} actions={<CardActions provider={provider} />}>
      <Facts
        facts={[
          ['Health', <HealthStatus state={health} />],
          ['Mode', <Badge>{provider.mode}</Badge>],
          ['Wires', provider.wires.join(', ')],
          ['Address', <code>{provider.base_url}</code>],
          ['Slots in use', `${provider.slots_in_use} of ${provider.max_concurrent ?? 'any number'}`],
          ['Queued', queueText(provider)],
          ['Calls', callsText(provider)],
          [
            'Latency',
            latency.p50 === null
              ? 'not measured yet'
              : `p50 ${formatDuration(latency.p50)}, p95 ${formatDuration(latency.p95)}`,
          ],
        ]}
      />
      {faults.map((fault) => (
        <FaultNotice key={fault.id} fault={fault} />
      ))}
      {error && (
        <Notice
          kind="warning"
          title={`Latest error: ${[error.status, error.code ?? error.type].filter(Boolean).join(' ') || 'no answer'}`}
        >
          <p>{error.message}</p>
          <p class="soft">
            <Time at={error.at} isRelative />, model {error.model ?? 'unknown'}
            {error.request_id && `, the provider's request ${error.request_id}`}
          </p>
        </Notice>
      )}
      {provider.targets.length > 0 && (
        <Table
          caption={`Targets of ${id}`}
          columns={targetColumns}
          rows={provider.targets}
          rowKey={({ model }) => model}
          sortParam={`sort-${id}`}
        />
      )}
    </Section>
  );
}

const CardActions = ({ provider }: { provider: ProviderRow }) => (
  <>
    <LinkButton
      href={`/operator/providers/${encodeURIComponent(provider.id)}`}
      label={`Settings of ${provider.id}`}
    >
      Settings
    </LinkButton>
    <Drain provider={provider} />
  </>
);

const callsText = ({ requests_total: total, error_rate: rate }: ProviderRow): string =>
  total === 0 ? 'none yet' : `${formatNumber(total)}, ${formatPercent(rate)} failed in the last minute`;

const queueText = ({ queue_length, queue_by_class }: ProviderRow): string =>
  queue_length === 0
    ? 'none'
    : Object.entries(queue_by_class)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ');

type Target = ProviderRow['targets'][number];

const targetColumns: readonly Column<Target>[] = [
  textColumn('model', 'Upstream model', ({ model }) => <code>{model}</code>),
  textColumn('circuit', 'Circuit', ({ circuit }) => <HealthStatus state={circuit} />),
  numberColumn('flight', 'In flight', ({ in_flight }) => in_flight),
  numberColumn('errors', 'Errors', ({ error_rate }) => formatPercent(error_rate)),
  minor(numberColumn('pause', 'Pause left', ({ pause_left_ms }) => formatDuration(pause_left_ms))),
  minor(
    numberColumn('first', 'First byte', ({ first_byte_ms }) =>
      formatDuration(first_byte_ms.stream ?? first_byte_ms.whole),
    ),
  ),
];

function Drain({ provider: { id, health } }: { provider: ProviderRow }) {
  if (!mayChange.value) return null;
  const isDrained = health === 'drained';
  return (
    <ConfirmButton
      label={isDrained ? 'End the drain' : 'Drain'}
      title={isDrained ? `Send requests to ${id} again?` : `Drain ${id}?`}
      isDangerous={!isDrained}
      refreshes={PATH}
      done={isDrained ? `${id} takes requests again.` : `${id} takes no new requests.`}
      onConfirm={() => call('POST', `${PATH}/${encodeURIComponent(id)}/${isDrained ? 'undrain' : 'drain'}`)}
    >
      {isDrained
        ? 'New requests are sent to the provider again, on all nodes.'
        : 'Requests in progress finish. Queued requests go to other providers. The drain holds on all nodes and after a restart.'}
    </ConfirmButton>
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
