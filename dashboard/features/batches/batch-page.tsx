import type { BatchAnswer } from '../../../src/console/dashboard/batch-schema.ts';
import { navigate } from '../../app/address.ts';
import { API, call } from '../../app/call.ts';
import type { PageProps } from '../../app/page.ts';
import { hasRole, inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DetailPage } from '../../components/detail-page.tsx';
import { formatNumber } from '../../components/format.ts';
import { BatchDetails } from './batch-details.tsx';
import { BatchItemsList } from './batch-items-list.tsx';

const POLL_MS = 3_000;

/** One batch: its progress, cost and results. */
export function BatchPage({ params }: PageProps) {
  const path = inOrganization(`/batches/${encodeURIComponent(params.id!)}`);
  const batch = useQuery<BatchAnswer>(path, { pollMs: POLL_MS, isFinal: hasEnded });
  return (
    <DetailPage
      query={batch}
      title="Batch"
      lead={<code class="batch-id">{params.id}</code>}
      back={{ href: '/batches', label: 'Batches' }}
      actions={batch.data && hasRole('developer') && <Actions batch={batch.data} path={path!} />}
    >
      {(answer) => (
        <>
          <BatchDetails batch={answer} />
          <BatchItemsList path={path!} batch={answer} />
        </>
      )}
    </DetailPage>
  );
}

const hasEnded = ({ processing_status }: BatchAnswer): boolean => processing_status === 'ended';

const Actions = ({ batch, path }: { batch: BatchAnswer; path: string }) => (
  <>
    {hasEnded(batch) && (
      <LinkButton href={`${API}${path}/results`} icon="download" download>
        Download results
      </LinkButton>
    )}
    {batch.processing_status === 'in_progress' && (
      <ConfirmButton
        label="Cancel the batch"
        title="Cancel the batch?"
        refreshes={path}
        done="The batch is being canceled."
        onConfirm={() => call('POST', `${path}/cancel`)}
      >
        Requests without a result: {formatNumber(batch.request_counts.processing)}. Those that have not
        started are canceled and cost nothing. Those in progress end, and are charged.
      </ConfirmButton>
    )}
    {batch.can_delete && (
      <ConfirmButton
        label="Delete"
        kind="danger"
        icon="trash"
        title="Delete the batch?"
        confirmLabel="Delete the batch"
        refreshes={inOrganization('/batches')!}
        done="The batch was deleted."
        onConfirm={async () => {
          await call('DELETE', path);
          navigate('/batches');
        }}
      >
        The batch and all its results are removed. The charges stay. This cannot be undone.
      </ConfirmButton>
    )}
  </>
);
