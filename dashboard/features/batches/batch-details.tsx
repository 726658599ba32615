import type { BatchAnswer } from '../../../src/console/dashboard/batch-schema.ts';
import { Facts } from '../../components/facts.tsx';
import { formatCount, formatCredits, formatNumber } from '../../components/format.ts';
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
            ['API', collectionNames[batch.collection]],
            ['Processing', modeNames[batch.processing_mode]],
            ['Key', <a href="/keys">{batch.key_id}</a>],
            ['Created', <Time at={batch.created_at} />],
            isRunning
              ? ['In progress now', formatCount(batch.at_work, 'request')]
              : ['Ended', <Time at={batch.ended_at} />],
            isRunning && ['Expected end', <Time at={batch.estimated_end_at} isRelative />],
            isRunning && ['Pace', paceOf(batch)],
            isRunning && ['Deadline', <Time at={batch.deadline_at} />],
            ['Results kept until', <Time at={batch.expires_at} />],
            ['Retries', formatNumber(batch.retries)],
            batch.cancel_initiated_at !== null && ['Canceled', <Time at={batch.cancel_initiated_at} />],
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
  pace === null ? null : `${formatCount(pace, 'request')} per minute`;
