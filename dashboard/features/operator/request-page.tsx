import type { PageProps } from '../../app/page.ts';
import { useQuery } from '../../app/use-query.ts';
import { Facts } from '../../components/facts.tsx';
import { formatDuration, formatNumber } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { EntryReceipt } from './entry-receipt.tsx';
import { OPERATOR } from './operator-api.ts';
import type { EntryRow, RequestRow } from './rows.ts';

/** One request with everything that is known of it: its calls to providers, their errors and its entry. */
export function RequestPage({ params }: PageProps) {
  const id = encodeURIComponent(params.id!);
  const record = useQuery<RequestRow>(`${OPERATOR}/requests/${id}`);
  const entry = useQuery<EntryRow & { account_id: string }>(`${OPERATOR}/ledger/entries/${id}`);
  return (
    <>
      <PageHeader
        title="Request"
        lead={<code>{params.id}</code>}
        back={{ href: '/operator/requests', label: 'All requests' }}
      />
      <Loaded query={record}>{(request) => <Details request={request} />}</Loaded>
      <Section title="Ledger entry">
        {entry.data ? <EntryReceipt entry={entry.data} /> : <p class="soft">This request was not charged.</p>}
      </Section>
    </>
  );
}

const Details = ({ request }: { request: RequestRow }) => (
  <>
    {request.error && (
      <Notice
        kind={(request.status ?? 500) >= 500 ? 'error' : 'warning'}
        title={`${request.status} ${request.error.code}`}
      >
        <p>{request.error.explanation}</p>
        {request.error.message !== request.error.explanation && (
          <p class="soft">The client received: {request.error.message}</p>
        )}
      </Notice>
    )}
    <Section title="Request" isCard>
      <Facts
        facts={[
          {
            label: 'Account',
            value: <a href={`/operator/accounts/${request.account_id}`}>{request.account_id}</a>,
          },
          { label: 'Key', value: request.key_name ?? request.key_id },
          { label: 'Address', value: `${request.method} ${request.path}` },
          { label: 'Model asked', value: request.model },
          { label: 'Model served', value: request.served_model },
          { label: 'Provider', value: request.provider },
          { label: 'Started', value: <Time at={request.started_at} /> },
          { label: 'Duration', value: formatDuration(request.duration_ms) },
          { label: 'First token', value: formatDuration(request.first_token_ms) },
          { label: 'Queued', value: formatDuration(request.queue_ms) },
          {
            label: 'Tokens',
            value:
              request.input_tokens === null && request.output_tokens === null
                ? 'none'
                : `${formatNumber(request.input_tokens)} in, ${formatNumber(request.output_tokens)} out`,
          },
          { label: 'Translation losses', value: request.losses.join(', ') || 'none' },
          {
            label: 'Client',
            value: [request.client_address, request.user_agent].filter(Boolean).join(', ') || 'not recorded',
          },
        ]}
      />
    </Section>
    <Section title="Calls to providers">
      <Table
        caption="Calls to providers"
        columns={columns}
        rows={request.attempts}
        rowKey={({ provider, started_at }) => `${provider} ${started_at}`}
        empty={<p class="soft">No provider was called.</p>}
      />
    </Section>
  </>
);

type Attempt = RequestRow['attempts'][number];

const columns: readonly Column<Attempt>[] = [
  { key: 'provider', header: 'Provider', cell: ({ provider }) => provider },
  { key: 'model', header: 'Upstream model', cell: ({ model }) => <code>{model}</code> },
  { key: 'status', header: 'Status', cell: ({ status }) => status ?? '–' },
  { key: 'ms', header: 'Duration', isNumber: true, cell: ({ ms }) => formatDuration(ms) },
  {
    key: 'error',
    header: 'Error',
    cell: ({ error }) =>
      error && (
        <>
          <p>{error.message}</p>
          <p class="soft">{[error.type, error.code, error.request_id].filter(Boolean).join(', ')}</p>
        </>
      ),
  },
];
