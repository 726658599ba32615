import type { ResponseList, StoredResponseView } from '../../../src/console/dashboard/response-schema.ts';
import { queryValue, withParameters } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatBytes, formatNumber, formatPercent } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';

/** The share of the storage from which on the page warns. */
const NEARLY_FULL = 0.9;

/** The stored responses, newest first, with the storage that they take. */
export function ResponsesPage() {
  const after = queryValue('after');
  const list = useQuery<ResponseList>(inOrganization(withParameters('/responses', { after })));
  return (
    <>
      <PageHeader
        title="Stored responses"
        lead={
          <>
            Answers of <code>/v1/responses</code> that a later request can continue by their id.
          </>
        }
      />
      <Loaded query={list}>
        {({ data, has_more, storage }) => (
          <>
            <StorageUse storage={storage} />
            <Table
              caption="Stored responses"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              empty={<NoResponses isLater={after !== ''} />}
            />
            <Pagination next={has_more ? data.at(-1)?.id : null} />
          </>
        )}
      </Loaded>
    </>
  );
}

function StorageUse({ storage: { bytes, limit_bytes: limit } }: { storage: ResponseList['storage'] }) {
  const share = limit ? bytes / limit : 0;
  return (
    <>
      <div class="storage card">
        <p>
          <strong>{formatBytes(bytes)}</strong>
          {limit === null ? ' used' : ` of ${formatBytes(limit)} used (${formatPercent(share)})`}
        </p>
        {limit !== null && <progress max={1} value={Math.min(1, share)} aria-label="Storage used" />}
        <p class="soft">
          Batches and their results count too. Responses and results are deleted when they expire.
        </p>
      </div>
      {share >= NEARLY_FULL && (
        <Notice kind="warning" title={share >= 1 ? 'The storage is full' : 'The storage is nearly full'}>
          When the storage is full, new responses are not stored and new batches are refused. Delete
          responses, or <a href="/billing">upgrade the plan</a>.
        </Notice>
      )}
    </>
  );
}

const columns: readonly Column<StoredResponseView>[] = [
  {
    key: 'id',
    header: 'Response',
    cell: ({ id }) => (
      <a class="response-id" href={`/responses/${encodeURIComponent(id)}`}>
        {id}
      </a>
    ),
  },
  { key: 'model', header: 'Model', cell: ({ model }) => model },
  { key: 'turns', header: 'Turn', isNumber: true, cell: ({ turns }) => formatNumber(turns) },
  { key: 'bytes', header: 'Size', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    key: 'previous',
    header: 'Continues',
    isMinor: true,
    cell: ({ previous_response_id: id }) =>
      id === null ? (
        '–'
      ) : (
        <a class="response-id" href={`/responses/${encodeURIComponent(id)}`}>
          …{id.slice(-8)}
        </a>
      ),
  },
  { key: 'created', header: 'Created', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
  {
    key: 'expires',
    header: 'Expires',
    isMinor: true,
    cell: ({ expires_at }) => <Time at={expires_at} isRelative />,
  },
];

const NoResponses = ({ isLater }: { isLater: boolean }) =>
  isLater ? (
    <EmptyState title="No more responses">Go to the first page.</EmptyState>
  ) : (
    <EmptyState title="No stored responses yet">
      Requests to <code>/v1/responses</code> are stored unless they say <code>store: false</code>. Try one in
      the <a href="/playground?dialect=responses">playground</a>.
    </EmptyState>
  );
