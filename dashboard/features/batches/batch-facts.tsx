import type { BatchAnswer } from '../../../src/console/dashboard/batch-schema.ts';
import { Status, type Tone } from '../../components/badge.tsx';
import { formatNumber } from '../../components/format.ts';

const openStates: Readonly<
  Record<Exclude<BatchAnswer['processing_status'], 'ended'>, { label: string; tone: Tone }>
> = {
  in_progress: { label: 'In progress', tone: 'accent' },
  canceling: { label: 'Canceling', tone: 'warning' },
};

/** The names of the APIs of batches. */
export const collectionNames: Readonly<Record<BatchAnswer['collection'], string>> = {
  messages: 'Messages',
  chat: 'Chat completions',
};

/** The names of the ways in which a batch is processed. */
export const modeNames: Readonly<Record<BatchAnswer['processing_mode'], string>> = {
  standard: 'Standard',
  flex: 'Flex',
  'native-preferred': "Provider's batch, if possible",
  'native-required': "Provider's batch only",
};

/** The state of a batch. An ended one says if requests have failed. */
export function BatchStatus({ batch }: { batch: BatchAnswer }) {
  const { request_counts: counts, processing_status, cancel_initiated_at } = batch;
  if (processing_status !== 'ended') {
    const { label, tone } = openStates[processing_status];
    return <Status tone={tone}>{label}</Status>;
  }
  if (cancel_initiated_at && counts.canceled > 0) return <Status>Canceled</Status>;
  if (counts.expired > 0) return <Status tone="bad">Expired</Status>;
  if (counts.errored > 0) return <Status tone="warning">Ended with errors</Status>;
  return <Status tone="good">Ended</Status>;
}

/** The share of requests with a result, as a bar and in words. */
export function BatchProgress({ batch }: { batch: BatchAnswer }) {
  const { request_counts: counts, size } = batch;
  const done = size - counts.processing;
  return (
    <span class="batch-progress">
      <progress max={Math.max(1, size)} value={done} aria-label="Requests with a result" />
      <span>
        {formatNumber(done)} of {formatNumber(size)}
      </span>
    </span>
  );
}
