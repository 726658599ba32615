import { useEffect, useRef } from 'preact/hooks';
import type {
  BatchAnswer,
  BatchItemAnswer,
  BatchItems,
} from '../../../src/console/dashboard/batch-schema.ts';
import { queryValue, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Status, type Tone } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ContentHidden } from '../../components/content-hidden.tsx';
import { formatBytes } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Section } from '../../components/section.tsx';

const POLL_MS = 5_000;

const statusBadges: Readonly<Record<BatchItemAnswer['status'], { label: string; tone: Tone }>> = {
  queued: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'In progress', tone: 'accent' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  errored: { label: 'Failed', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'warning' },
};

/** Explains why a request has no answer, if its state alone shows it. */
const absenceReasons: Readonly<Partial<Record<BatchItemAnswer['status'], string>>> = {
  canceled: 'The batch was canceled before this request started. The request cost nothing.',
  expired: 'The batch reached its deadline before this request ended. The request cost nothing.',
};

/** Only requests that were sent have a record or a receipt. */
const calledStatuses: ReadonlySet<BatchItemAnswer['status']> = new Set(['succeeded', 'errored']);

/**
 * The requests of a batch with their results, in pages. Long results are cut; the download has them whole.
 */
export function BatchItemsList({ path, batch }: { path: string; batch: BatchAnswer }) {
  const isRunning = batch.processing_status !== 'ended';
  const items = useQuery<BatchItems>(
    withParameters(`${path}/items`, { after: queryValue('after') }),
    isRunning ? { pollMs: POLL_MS } : {},
  );
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    // The latest poll was before the end of the batch.
    if (wasRunning.current && !isRunning) void items.refresh();
    wasRunning.current = isRunning;
  }, [isRunning]);
  return (
    <Section title="Requests" lead="In the order of submission.">
      <Loaded query={items}>
        {({ data, has_more, content_shown }) => (
          <>
            {!content_shown && <ContentHidden />}
            <ol class="batch-items">
              {data.map((item) => (
                <Item key={item.number} item={item} />
              ))}
            </ol>
            <Pagination next={has_more ? String(data.at(-1)!.number) : null} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const Item = ({ item }: { item: BatchItemAnswer }) => {
  const { custom_id, request_id, status, answer, is_answer_cut, error, result, bytes, is_cut } = item;
  const { label, tone } = statusBadges[status];
  return (
    <li class="batch-item">
      <div class="batch-item-line">
        <strong>{custom_id}</strong>
        <Status tone={tone}>{label}</Status>
        {bytes > 0 && <span class="soft">{formatBytes(bytes)}</span>}
        {calledStatuses.has(status) && (
          <a href={`/requests/${encodeURIComponent(request_id)}`} aria-label={`Receipt of ${custom_id}`}>
            Receipt
          </a>
        )}
      </div>
      {answer && <p class="batch-answer">{is_answer_cut ? `${answer}…` : answer}</p>}
      {error && (
        <p class="batch-error">
          {error.message} <code>{error.type}</code>
        </p>
      )}
      {absenceReasons[status] && <p class="soft">{absenceReasons[status]}</p>}
      {result !== null && (
        <details>
          <summary>{is_cut ? 'Result (the beginning)' : 'Result'}</summary>
          <CodeBlock code={result} label={`Result of ${custom_id}`} />
        </details>
      )}
    </li>
  );
};
