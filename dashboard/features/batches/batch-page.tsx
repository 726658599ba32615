import { useState } from 'preact/hooks';
import type { BatchAnswer } from '../../../src/console/dashboard/batch-schema.ts';
import { navigate } from '../../app/address.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { API, call } from '../../app/call.ts';
import type { PageProps } from '../../app/page.ts';
import { hasRole, inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { toast } from '../../components/toasts.tsx';
import { BatchDetails } from './batch-details.tsx';
import { BatchItemsList } from './batch-items-list.tsx';

const POLL_MS = 3_000;

/** One batch: its progress, cost and results. */
export function BatchPage({ params }: PageProps) {
  const path = inOrganization(`/batches/${encodeURIComponent(params.id!)}`);
  const [hasEnded, setEnded] = useState(false);
  const batch = useQuery<BatchAnswer>(path, hasEnded ? {} : { pollMs: POLL_MS });
  const isOver = batch.data?.processing_status === 'ended';
  if (isOver !== hasEnded) setEnded(isOver);
  return (
    <>
      <PageHeader
        title="Batch"
        lead={<code class="batch-id">{params.id}</code>}
        back={{ href: '/batches', label: 'Batches' }}
        actions={batch.data && <Actions batch={batch.data} path={path!} />}
      />
      <Loaded query={batch}>
        {(answer) => (
          <>
            <BatchDetails batch={answer} />
            <BatchItemsList path={path!} batch={answer} />
          </>
        )}
      </Loaded>
    </>
  );
}

type Asked = 'cancel' | 'delete';

function Actions({ batch, path }: { batch: BatchAnswer; path: string }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayChange = hasRole('developer');
  const close = () => setAsked(null);
  return (
    <>
      {mayChange && batch.processing_status === 'ended' && (
        <LinkButton href={`${API}${path}/results`} icon="download" download>
          Download results
        </LinkButton>
      )}
      {mayChange && batch.processing_status === 'in_progress' && (
        <Button onClick={() => setAsked('cancel')}>Cancel the batch</Button>
      )}
      {mayChange && batch.can_delete && (
        <Button kind="danger" icon="trash" onClick={() => setAsked('delete')}>
          Delete
        </Button>
      )}
      {asked === 'cancel' && <CancelDialog {...{ batch, path, close }} />}
      {asked === 'delete' && <DeleteDialog {...{ batch, path, close }} />}
    </>
  );
}

type DialogParts = { batch: BatchAnswer; path: string; close: () => void };

const CancelDialog = ({ batch, path, close }: DialogParts) => (
  <ConfirmDialog
    title="Cancel the batch?"
    confirmLabel="Cancel the batch"
    onClose={close}
    onConfirm={async () => {
      await call('POST', `${path}/cancel`);
      refreshAnswers(path);
      toast('The batch is being canceled.');
    }}
  >
    {batch.request_counts.processing} requests have no result yet. Those that have not started are canceled
    and cost nothing. Those in progress end, and are charged.
  </ConfirmDialog>
);

const DeleteDialog = ({ path, close }: DialogParts) => (
  <ConfirmDialog
    title="Delete the batch?"
    confirmLabel="Delete the batch"
    onClose={close}
    onConfirm={async () => {
      await call('DELETE', path);
      refreshAnswers(path.replace(/\/[^/]*$/, ''));
      toast('The batch was deleted.');
      navigate('/batches');
    }}
  >
    The batch and all its results are removed. The charges stay. This cannot be undone.
  </ConfirmDialog>
);
