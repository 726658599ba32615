import { mayOperate } from '../../app/session.ts';
import { Badge } from '../../components/badge.tsx';
import { LinkButton } from '../../components/button.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn } from '../../components/columns.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { DrainButton } from './drain-button.tsx';
import { FaultNotice } from './fault-notice.tsx';
import { HealthStatus } from './health-status.tsx';
import { providerHref } from './provider-href.ts';
import type { FaultRow, ProviderRow } from './rows.ts';

type ProviderCardProps = { provider: ProviderRow; faults: readonly FaultRow[] };

/** A provider that is used: its state, its faults, its latest error and its targets. */
export function ProviderCard({ provider, faults }: ProviderCardProps) {
  const { id, last_error } = provider;
  return (
    <Section
      isCard
      title={id}
      actions={
        <>
          <LinkButton href={providerHref(id)} label={`Settings of ${id}`}>
            Settings
          </LinkButton>
          {mayOperate.value && <DrainButton provider={provider} />}
        </>
      }
    >
      <ProviderFacts provider={provider} />
      {faults.map((fault) => (
        <FaultNotice key={fault.id} fault={fault} />
      ))}
      {last_error && <ErrorNotice error={last_error} />}
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

const ProviderFacts = ({ provider }: { provider: ProviderRow }) => (
  <Facts
    facts={[
      ['Health', <HealthStatus state={provider.health} />],
      ['Mode', <Badge>{provider.mode}</Badge>],
      ['Wires', provider.wires.join(', ')],
      ['Address', <code>{provider.base_url}</code>],
      ['Slots in use', `${provider.slots_in_use} of ${provider.max_concurrent ?? 'any number'}`],
      ['Queued', queueText(provider)],
      ['Calls', callsText(provider)],
      ['Latency', latencyText(provider)],
    ]}
  />
);

const queueText = ({ queue_length, queue_by_class }: ProviderRow): string =>
  queue_length === 0
    ? 'none'
    : Object.entries(queue_by_class)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ');

const callsText = ({ requests_total: total, error_rate: rate }: ProviderRow): string =>
  total === 0 ? 'none yet' : `${formatNumber(total)}, ${formatPercent(rate)} failed in the last minute`;

const latencyText = ({ latency_ms: { p50, p95 } }: ProviderRow): string =>
  p50 === null ? 'not measured yet' : `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}`;

type ErrorNoticeProps = { error: NonNullable<ProviderRow['last_error']> };

const ErrorNotice = ({ error: { at, model, status, type, code, message, request_id } }: ErrorNoticeProps) => (
  <Notice
    kind="warning"
    title={`Latest error: ${[status, code ?? type].filter(Boolean).join(' ') || 'no answer'}`}
  >
    <p>{message}</p>
    <p class="soft">
      <Time at={at} isRelative />, model {model}
      {request_id && `, the provider's request ${request_id}`}
    </p>
  </Notice>
);

type Target = ProviderRow['targets'][number];

const targetColumns: readonly Column<Target>[] = [
  textColumn('model', 'Upstream model', ({ model }) => <code>{model}</code>),
  textColumn('circuit', 'Circuit', ({ circuit }) => <HealthStatus state={circuit} />),
  numberColumn('flight', 'In flight', ({ in_flight }) => in_flight),
  numberColumn('errors', 'Errors', ({ error_rate }) => formatPercent(error_rate)),
  minor(numberColumn('pause', 'Pause left', ({ pause_left_ms }) => formatDuration(pause_left_ms))),
  minor(
    numberColumn('first', 'First byte', ({ first_byte_ms: { stream, whole } }) =>
      formatDuration(stream ?? whole),
    ),
  ),
];
