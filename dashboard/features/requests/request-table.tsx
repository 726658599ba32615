import type { ListedRequest } from '../../../src/api/dashboard/request-schema.ts';
import { formatDuration, formatSecond, formatTokens, formatUsd } from '../../components/format.ts';
import { type Column, Table } from '../../components/table.tsx';
import { RequestStatus } from './request-status.tsx';

const MICROCREDITS_PER_USD = 500_000_000;

const columns: readonly Column<ListedRequest>[] = [
  {
    key: 'time',
    header: 'Ended',
    cell: ({ id, ended_at }) => (
      <a href={`/requests/${id}`} title={id}>
        <time dateTime={ended_at}>{formatSecond(ended_at)}</time>
      </a>
    ),
  },
  { key: 'status', header: 'Status', cell: (request) => <RequestStatus request={request} /> },
  {
    key: 'model',
    header: 'Model',
    cell: ({ model, served_model, route }) => (
      <>
        <span class="break">{model ?? route}</span>
        {served_model && model && served_model !== model && <span class="soft"> → {served_model}</span>}
      </>
    ),
  },
  { key: 'key', header: 'Key', cell: ({ key_name, key_id }) => key_name ?? key_id ?? '–', isMinor: true },
  {
    key: 'tokens',
    header: 'Tokens',
    cell: ({ input_tokens: input, output_tokens: output }) =>
      input === null ? '–' : `${formatTokens(input)} → ${formatTokens(output ?? 0)}`,
    isNumber: true,
    isMinor: true,
  },
  {
    key: 'first',
    header: 'First token',
    cell: ({ first_token_ms }) => formatDuration(first_token_ms),
    isNumber: true,
    isMinor: true,
  },
  {
    key: 'duration',
    header: 'Duration',
    cell: ({ duration_ms }) => formatDuration(duration_ms),
    isNumber: true,
  },
  {
    key: 'cost',
    header: 'Cost',
    cell: ({ cost_microcredits: cost }) => formatUsd(cost === null ? null : cost / MICROCREDITS_PER_USD),
    isNumber: true,
  },
  {
    key: 'reason',
    header: 'Reason',
    cell: ({ refusal }) => refusal && <span class="request-reason">{refusal.sentence}</span>,
  },
];

/** Requests, the latest first. */
export const RequestTable = ({ requests }: { requests: readonly ListedRequest[] }) => (
  <Table caption="Requests" columns={columns} rows={requests} rowKey={({ id }) => id} />
);
