import type { BatchAnswer, BatchList } from '../../../src/console/dashboard/batch-schema.ts';
import { queryValue } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCredits } from '../../components/format.ts';
import { ListPage } from '../../components/list-page.tsx';
import { BatchProgress, BatchStatus, collectionNames } from './batch-facts.tsx';

const states = [
  { value: '', label: 'All' },
  { value: 'in_progress', label: 'In progress' },
  { value: 'ended', label: 'Ended' },
];

/** The batches of both APIs, newest first. */
export const BatchesPage = () => (
  <ListPage<BatchAnswer, BatchList>
    title="Batches"
    lead="A batch runs requests in the background. It belongs to the key that created it."
    path={inOrganization('/batches')}
    filters={[{ param: 'status', label: 'Status', options: states }]}
    pollMs={5_000}
    caption="Batches"
    columns={columns}
    expectedRows={8}
    empty={() => <NoBatches isFiltered={queryValue('status') !== '' || queryValue('after') !== ''} />}
  />
);

const columns: readonly Column<BatchAnswer>[] = [
  textColumn('id', 'Batch', ({ id }) => (
    <a class="batch-id" href={`/batches/${encodeURIComponent(id)}`}>
      {id}
    </a>
  )),
  textColumn('status', 'Status', (batch) => <BatchStatus batch={batch} />),
  textColumn('progress', 'Progress', (batch) => <BatchProgress batch={batch} />),
  numberColumn('errors', 'Errors', ({ request_counts: { errored, expired } }) => errored + expired),
  minor(textColumn('api', 'API', ({ collection }) => collectionNames[collection])),
  numberColumn('cost', 'Credits', ({ credits }) => formatCredits(credits)),
  timeColumn('created', 'Created', ({ created_at }) => created_at),
];

const NoBatches = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No matching batches">Choose another status, or go to the first page.</EmptyState>
  ) : (
    <EmptyState title="No batches yet">
      Send up to 1,000 requests at once to <code>/v1/messages/batches</code> or <code>/v1/batches</code>. They
      run after live requests, and their results stay here until the batch expires. See{' '}
      <a href="/docs">the API</a>.
    </EmptyState>
  );
