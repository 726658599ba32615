import type { ResponseList, StoredResponseView } from '../../../src/console/dashboard/response-schema.ts';
import { queryValue } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatBytes, formatNumber, formatPercent } from '../../components/format.ts';
import { ListPage } from '../../components/list-page.tsx';
import { Notice } from '../../components/notice.tsx';

/** The share of the storage from which on the page warns. */
const NEARLY_FULL = 0.9;

/** The stored responses, newest first, with the storage that they take. */
export const ResponsesPage = () => (
  <ListPage<StoredResponseView, ResponseList>
    title="Stored responses"
    lead={
      <>
        Answers of <code>/v1/responses</code> that a later request can continue by their id.
      </>
    }
    path={inOrganization('/responses')}
    above={({ storage }) => <StorageUse storage={storage} />}
    caption="Stored responses"
    columns={columns}
    empty={() => <NoResponses isLater={queryValue('after') !== ''} />}
  />
);

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
  textColumn('id', 'Response', ({ id }) => (
    <a class="response-id" href={`/responses/${encodeURIComponent(id)}`}>
      {id}
    </a>
  )),
  textColumn('model', 'Model', ({ model }) => model),
  numberColumn('turns', 'Turn', ({ turns }) => formatNumber(turns)),
  numberColumn('bytes', 'Size', ({ bytes }) => formatBytes(bytes)),
  minor(
    textColumn('previous', 'Continues', ({ previous_response_id: id }) =>
      id === null ? (
        '–'
      ) : (
        <a class="response-id" href={`/responses/${encodeURIComponent(id)}`}>
          …{id.slice(-8)}
        </a>
      ),
    ),
  ),
  timeColumn('created', 'Created', ({ created_at }) => created_at),
  minor(timeColumn('expires', 'Expires', ({ expires_at }) => expires_at)),
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
