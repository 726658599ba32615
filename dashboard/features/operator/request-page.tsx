import type { PageProps } from '../../app/page.ts';
import { useQuery } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { numberColumn, textColumn } from '../../components/columns.tsx';
import { CostLines } from '../../components/cost-lines.tsx';
import { DetailPage } from '../../components/detail-page.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatNumber } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Named } from '../../components/named.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { EntryReceipt } from './entry-receipt.tsx';
import { AccountName } from './known-names.tsx';
import { OPERATOR } from './operator-api.ts';
import type { FoundEntry, RequestRow } from './rows.ts';

/** Everything that is known of one request: its calls to providers, their errors and its entry. */
export function RequestPage({ params }: PageProps) {
  const id = encodeURIComponent(params.id!);
  const record = useQuery<RequestRow>(`${OPERATOR}/requests/${id}`);
  const entry = useQuery<FoundEntry>(`${OPERATOR}/ledger/entries/${id}`);
  return (
    <DetailPage
      query={record}
      title="Request"
      lead={<code>{params.id}</code>}
      back={{ href: '/operator/requests', label: 'All requests' }}
      foot={
        <>
          <Section title="Ledger entry">
            {entry.problem?.status === 404 ? (
              <p class="soft">This request was not charged.</p>
            ) : (
              <Loaded query={entry}>{(found) => <EntryReceipt entry={found} />}</Loaded>
            )}
          </Section>
          {entry.data && <CostLines path={`${OPERATOR}/requests/${id}`} />}
        </>
      }
    >
      {(request) => <Details request={request} />}
    </DetailPage>
  );
}

const Details = ({ request }: { request: RequestRow }) => (
  <>
    {request.error && <ErrorNotice status={request.status} error={request.error} />}
    <Section title="Request" isCard>
      <Facts
        facts={[
          ['Account', <AccountName id={request.account_id} />],
          ['Key', <Named name={request.key_name} id={request.key_id ?? undefined} />],
          ['Address', `${request.method} ${request.path}`],
          ['Source', request.source],
          request.replay_of !== null && ['Answer of', request.replay_of],
          ['Model asked', request.model],
          ['Model served', request.served_model],
          ['Provider', request.provider],
          ['Started', <Time at={request.started_at} />],
          ['Duration', formatDuration(request.duration_ms)],
          ['First token', formatDuration(request.first_token_ms)],
          ['Queued', formatDuration(request.queue_ms)],
          ['Tokens', tokenText(request)],
          ['Translation losses', request.losses.join(', ') || 'none'],
          [
            'Client',
            [request.client_address, request.user_agent].filter(Boolean).join(', ') || 'not recorded',
          ],
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

const tokenText = ({ input_tokens, output_tokens }: RequestRow): string =>
  input_tokens === null && output_tokens === null
    ? 'none'
    : `${formatNumber(input_tokens)} in, ${formatNumber(output_tokens)} out`;

type ErrorNoticeProps = {
  status: RequestRow['status'];
  error: NonNullable<RequestRow['error']>;
};

const ErrorNotice = ({ status, error: { code, explanation, message } }: ErrorNoticeProps) => (
  <Notice kind={(status ?? 500) >= 500 ? 'error' : 'warning'} title={`${status ?? 'No answer:'} ${code}`}>
    <p>{explanation}</p>
    {message !== explanation && <p class="soft">The client received: {message}</p>}
  </Notice>
);

type Attempt = RequestRow['attempts'][number];

const columns: readonly Column<Attempt>[] = [
  textColumn('provider', 'Provider', ({ provider }) => provider),
  textColumn('model', 'Upstream model', ({ model }) => <code>{model}</code>),
  textColumn('status', 'Status', ({ status }) => status ?? '–'),
  numberColumn('ms', 'Duration', ({ ms }) => formatDuration(ms)),
  textColumn(
    'error',
    'Error',
    ({ error }) =>
      error && (
        <>
          <p>{error.message}</p>
          <p class="soft">{[error.type, error.code, error.request_id].filter(Boolean).join(', ')}</p>
        </>
      ),
  ),
];
