import type { BatchAnswer, BatchList } from '../../../src/console/dashboard/batch-schema.ts';
import { queryValue, withParameters } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ChoiceFilter, Filters } from '../../components/filters.tsx';
import { formatCredits } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { BatchProgress, BatchStatus, collectionNames } from './batch-facts.tsx';

const POLL_MS = 5_000;

/** The batches of both APIs, newest first. */
export function BatchesPage() {
  const parameters = { after: queryValue('after'), status: queryValue('status') };
  const path = inOrganization(withParameters('/batches', parameters));
  const list = useQuery<BatchList>(path, { pollMs: POLL_MS });
  return (
    <>
      <PageHeader
        title="Batches"
        lead="A batch runs requests in the background. It belongs to the key that created it."
      />
      <Filters>
        <ChoiceFilter
          param="status"
          label="Status"
          options={[
            { value: '', label: 'All' },
            { value: 'in_progress', label: 'In progress' },
            { value: 'ended', label: 'Ended' },
          ]}
        />
      </Filters>
      <Loaded query={list} skeleton={<Skeleton lines={8} />}>
        {({ data, has_more }) => (
          <>
            <Table
              caption="Batches"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              empty={<NoBatches isFiltered={parameters.status !== '' || parameters.after !== ''} />}
            />
            <Pagination next={has_more ? data.at(-1)?.id : null} />
          </>
        )}
      </Loaded>
    </>
  );
}

const columns: readonly Column<BatchAnswer>[] = [
  {
    key: 'id',
    header: 'Batch',
    cell: ({ id }) => (
      <a class="batch-id" href={`/batches/${encodeURIComponent(id)}`}>
        {id}
      </a>
    ),
  },
  { key: 'status', header: 'Status', cell: (batch) => <BatchStatus batch={batch} /> },
  { key: 'progress', header: 'Progress', cell: (batch) => <BatchProgress batch={batch} /> },
  {
    key: 'errors',
    header: 'Errors',
    isNumber: true,
    cell: ({ request_counts: { errored, expired } }) => errored + expired,
  },
  { key: 'api', header: 'API', isMinor: true, cell: ({ collection }) => collectionNames[collection] },
  { key: 'cost', header: 'Credits', isNumber: true, cell: ({ credits }) => formatCredits(credits) },
  { key: 'created', header: 'Created', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
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
