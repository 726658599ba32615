import type { BatchAnswer } from '../../../src/console/dashboard/batch-schema.ts';
import { Facts } from '../../components/facts.tsx';
import { formatCredits, formatNumber } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { Time } from '../../components/time.tsx';
import { BatchStatus, collectionNames, modeNames } from './batch-facts.tsx';

/** The numbers, times and properties of a batch. */
export function BatchDetails({ batch }: { batch: BatchAnswer }) {
  const { request_counts: counts, processing_status } = batch;
  const isRunning = processing_status !== 'ended';
  return (
    <>
      <Stats>
        <Stat
          label="Done"
          value={`${formatNumber(batch.size - counts.processing)} of ${formatNumber(batch.size)}`}
          note={<BatchStatus batch={batch} />}
        />
        <Stat label="Succeeded" value={formatNumber(counts.succeeded)} />
        <Stat label="Failed" value={formatNumber(counts.errored)} note={othersOf(counts)} />
        <Stat label={isRunning ? 'Credits so far' : 'Credits'} value={formatCredits(batch.credits)} />
      </Stats>
      <Section title="Properties" isCard>
        <Facts
          facts={[
            { label: 'API', value: collectionNames[batch.collection] },
            { label: 'Processing', value: modeNames[batch.processing_mode] },
            { label: 'Key', value: <a href="/keys">{batch.key_id}</a> },
            { label: 'Created', value: <Time at={batch.created_at} /> },
            isRunning
              ? { label: 'In progress now', value: `${formatNumber(batch.at_work)} requests` }
              : { label: 'Ended', value: <Time at={batch.ended_at} /> },
            isRunning && { label: 'Expected end', value: <Time at={batch.estimated_end_at} isRelative /> },
            isRunning && { label: 'Pace', value: paceOf(batch) },
            isRunning && { label: 'Deadline', value: <Time at={batch.deadline_at} /> },
            { label: 'Results kept until', value: <Time at={batch.expires_at} /> },
            { label: 'Retries', value: formatNumber(batch.retries) },
            batch.cancel_initiated_at !== null && {
              label: 'Canceled',
              value: <Time at={batch.cancel_initiated_at} />,
            },
          ]}
        />
      </Section>
    </>
  );
}

const othersOf = ({ canceled, expired }: BatchAnswer['request_counts']): string | undefined =>
  [canceled > 0 && `${formatNumber(canceled)} canceled`, expired > 0 && `${formatNumber(expired)} expired`]
    .filter(Boolean)
    .join(', ') || undefined;

const paceOf = ({ items_per_minute: pace }: BatchAnswer): string | null =>
  pace === null ? null : `${formatNumber(pace)} requests per minute`;
