import { useState } from 'preact/hooks';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatDuration, formatNumber, formatPercent } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { HealthStatus } from './health-status.tsx';
import { type List, mayChange, OPERATOR } from './operator-api.ts';
import type { ProviderRow } from './rows.ts';
import { sortProviders } from './sort-providers.ts';

const PATH = `${OPERATOR}/providers`;

/** Providers with their health, their slots, their queues and their latest errors. */
export function ProvidersPage() {
  const list = useQuery<List<ProviderRow>>(PATH, { pollMs: 3_000 });
  return (
    <>
      <PageHeader
        title="Providers"
        lead="Health, slots and errors of all processes. Providers with a fault come first."
      />
      <Loaded query={list}>
        {({ data }) => {
          const { used, standIns, unused } = sortProviders(data);
          return (
            <>
              {used.map((provider) => (
                <ProviderCard key={provider.id} provider={provider} />
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
                  lead="Set the variables of a provider and restart the server to use it."
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

function ProviderCard({ provider }: { provider: ProviderRow }) {
  const { id, health, last_error: error, latency_ms: latency } = provider;
  return (
    <Section isCard title={id} actions={<Drain provider={provider} />}>
      <Facts
        facts={[
          { label: 'Health', value: <HealthStatus state={health} /> },
          { label: 'Mode', value: <Badge>{provider.mode}</Badge> },
          { label: 'Wires', value: provider.wires.join(', ') },
          { label: 'Address', value: <code>{provider.base_url}</code> },
          {
            label: 'Slots in use',
            value: `${provider.slots_in_use} of ${provider.max_concurrent ?? 'any number'}`,
          },
          { label: 'Queued', value: queueText(provider) },
          { label: 'Calls', value: callsText(provider) },
          {
            label: 'Latency',
            value:
              latency.p50 === null
                ? 'not measured yet'
                : `p50 ${formatDuration(latency.p50)}, p95 ${formatDuration(latency.p95)}`,
          },
        ]}
      />
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
  { key: 'model', header: 'Upstream model', cell: ({ model }) => <code>{model}</code> },
  { key: 'circuit', header: 'Circuit', cell: ({ circuit }) => <HealthStatus state={circuit} /> },
  { key: 'flight', header: 'In flight', isNumber: true, cell: ({ in_flight }) => in_flight },
  { key: 'errors', header: 'Errors', isNumber: true, cell: ({ error_rate }) => formatPercent(error_rate) },
  {
    key: 'pause',
    header: 'Pause left',
    isNumber: true,
    isMinor: true,
    cell: ({ pause_left_ms }) => formatDuration(pause_left_ms),
  },
  {
    key: 'first',
    header: 'First byte',
    isNumber: true,
    isMinor: true,
    cell: ({ first_byte_ms }) => formatDuration(first_byte_ms.stream ?? first_byte_ms.whole),
  },
];

function Drain({ provider: { id, health } }: { provider: ProviderRow }) {
  const [isAsked, setAsked] = useState(false);
  if (!mayChange.value) return null;
  const isDrained = health === 'drained';
  const change = async () => {
    await call('POST', `${PATH}/${encodeURIComponent(id)}/${isDrained ? 'undrain' : 'drain'}`);
    refreshAnswers(PATH);
    toast(isDrained ? `${id} takes requests again.` : `${id} takes no new requests.`);
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>{isDrained ? 'End the drain' : 'Drain'}</Button>
      {isAsked && (
        <ConfirmDialog
          title={isDrained ? `Send requests to ${id} again?` : `Drain ${id}?`}
          confirmLabel={isDrained ? 'End the drain' : 'Drain'}
          isDangerous={!isDrained}
          onConfirm={change}
          onClose={() => setAsked(false)}
        >
          {isDrained
            ? 'New requests are sent to the provider again, on all nodes.'
            : 'Requests in progress finish. Queued requests go to other providers. The drain holds on all nodes and after a restart.'}
        </ConfirmDialog>
      )}
    </>
  );
}

type VariablesProps = { title: string; lead: string; providers: readonly ProviderRow[] };

const Variables = ({ title, lead, providers }: VariablesProps) => (
  <Section title={title} lead={lead}>
    <Table caption={title} columns={variableColumns} rows={providers} rowKey={({ id }) => id} />
  </Section>
);

const variableColumns: readonly Column<ProviderRow>[] = [
  { key: 'id', header: 'Provider', cell: ({ id }) => id },
  {
    key: 'variables',
    header: 'Missing variables',
    cell: ({ missing_variables }) => <code>{missing_variables.join(', ')}</code>,
  },
];
