import { Refusal } from '../../base/errors/refusal.ts';
import type { BackgroundResponse } from './background-store.ts';
import { prepareAgain } from './prepare-background.ts';
import type { RunningJobs } from './running-jobs.ts';

/** A response is begun at most this often. */
const MAX_ATTEMPTS = 2;

/** Makes a response again whose process has died. The row is one that this process has just taken. */
export async function takeUpBackground(jobs: RunningJobs, row: BackgroundResponse): Promise<void> {
  const { store, madeEnvelope, observe, dialects } = jobs.parts;
  const dialect = dialects.find(({ idPrefix }) => row.id.startsWith(idPrefix))!; // a dialect has made the id
  const controller = new AbortController();
  const exchange = jobs.createExchange(row.requestId, {
    path: dialect.runsInBackground.path,
    headers: JSON.parse(row.headers) as Record<string, string>, // as they were stored
    signal: controller.signal,
    address: '',
  });
  const job = jobs.createJob({ row, exchange, controller, dialect });
  await store.dropFrames(jobs.holdOn(row.id));
  const envelope = await madeEnvelope({ id: row.id, keyId: row.keyId });
  if (envelope !== undefined) return job.endAs('completed', envelope);
  if (row.isCanceled) job.cancel();
  if (row.isCanceled || row.attempts > MAX_ATTEMPTS) {
    await job.end(
      new Refusal('internal_error', { message: 'The server ended twice while the response was made.' }),
    );
    return;
  }
  const prepared = await prepareAgain(jobs.parts, row, { exchange, dialect }).catch((error: unknown) => {
    exchange.reportFailure(error);
    return new Refusal('internal_error');
  });
  if (prepared instanceof Refusal) {
    await job.end(prepared);
    exchange.notes.status = prepared.status;
    observe(exchange);
    return;
  }
  jobs.run(job, prepared);
}
