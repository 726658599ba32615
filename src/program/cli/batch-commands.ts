import type { AdminItem } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { formatFields } from './format-fields.ts';
import { formatDuration, formatProgress } from './format-progress.ts';
import type { Column } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { pageOf } from './page-options.ts';
import { field, printJson, printList } from './print-answer.ts';

const WATCH_EVERY_MS = 1_000;

type Batch = AdminItem<'GET /batches'>;

const doneOf = ({ size, request_counts }: Batch): number => size - request_counts.processing;

const columns: readonly Column<Batch>[] = [
  field('id'),
  field('account_id', 'account'),
  field('processing_mode', 'mode'),
  field('processing_status', 'status'),
  { title: 'done', cell: doneOf },
  field('size'),
  field('at_work'),
  field('retries'),
  field('items_per_minute', 'per min'),
  field('estimated_end_at', 'estimated end'),
];

export const listBatches: Run = async (invocation) => {
  const query = { status: invocation.choice('status', ['in_progress', 'ended']), ...pageOf(invocation) };
  const answer = await callAdmin(invocation, 'GET /batches', { query });
  await printList(invocation, answer, { key: 'GET /batches', columns });
  return 0;
};

/** Prints a batch. With `--watch`, prints it every second until the batch ends. */
export const showBatch: Run = async (invocation) => {
  for (;;) {
    const params = { id: invocation.required('BATCH') };
    const batch = await callAdmin(invocation, 'GET /batches/{id}', { params });
    const isLast = !invocation.flag('watch') || batch.processing_status === 'ended';
    print(invocation, batch, isLast);
    if (isLast) return 0;
    await Bun.sleep(WATCH_EVERY_MS);
    if (invocation.terminal.isOutputClosed?.()) return 0;
  }
};

function print(invocation: Invocation, batch: Batch, isLast: boolean): void {
  if (invocation.flag('json')) printJson(invocation, batch);
  else if (isLast) invocation.terminal.print(`${formatFields(batch)}\n\n${progressLine(batch)}`);
  else invocation.terminal.print(progressLine(batch));
}

/** Formats the progress of a batch and the estimated time left. */
function progressLine(batch: Batch): string {
  const bar = formatProgress({ done: doneOf(batch), size: batch.size });
  const counted = `${doneOf(batch)} of ${batch.size}`;
  if (batch.processing_status === 'ended') return `${bar}  ${counted}, ended`;
  if (batch.estimated_end_at === null) return `${bar}  ${counted}, no estimate yet`;
  const leftMs = Date.parse(batch.estimated_end_at) - Date.now();
  return `${bar}  ${counted}, about ${formatDuration(leftMs)} left`;
}
