import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { type BackgroundJob, hasEnded, readJob, type SeenJob } from '../clients/background-job.ts';
import type { World } from '../world.ts';
import { isReported } from './check-tokens.ts';

const createdJobs = ({ jobs }: World['clients']) => jobs.filter(({ id }) => id !== undefined);

async function look({ clients, simulation }: World, { id, account, marker }: BackgroundJob) {
  const { status, received } = await clients.read(account, `/v1/responses/${id}`);
  if (status === 200) return readJob(received);
  simulation.fail(`the response ${id} of ${marker} answered ${status}: ${received.slice(0, 300)}`);
  return undefined;
}

/** Reports whether all responses in the background have ended. */
export async function haveJobsEnded(world: World): Promise<boolean> {
  for (const job of createdJobs(world.clients)) {
    const seen = await look(world, job);
    if (seen && !hasEnded(seen)) return false;
  }
  return true;
}

/**
 * Checks that every response in the background can be read, and stays as it was once it has ended. A complete
 * one is charged once, and a failed one never. Returns the ids of their requests.
 */
export async function checkBackground(world: World): Promise<Set<string>> {
  const { clients, counts, reader } = world;
  const charges = await reader.charges();
  for (const job of createdJobs(clients)) {
    const seen = await look(world, job);
    if (!seen) continue;
    countUp(counts, `background ${seen.status}`);
    checkJob(world, { job, seen });
    const own = charges.filter(({ requestId }) => requestId === job.requestId);
    const fail = (why: string) => world.simulation.fail(`the background response of ${job.marker} ${why}`);
    if (seen.status === 'completed' && own.length !== 1) fail(`is complete and has ${own.length} charges`);
    if (seen.status === 'failed' && own.length > 0) fail('has failed and is charged');
    for (const charge of own) {
      const { usage } = seen;
      const isShown =
        usage?.input === charge.input && usage.cached === charge.cached && usage.output === charge.output;
      // An answer that ends as it is canceled is counted exactly, and shows an estimate.
      if (charge.outcome === 'complete' && !charge.isAdjusted && !isShown)
        fail(
          `shows ${usage?.input}+${usage?.output} tokens and was charged ${charge.input}+${charge.output}`,
        );
      if (charge.outcome === 'recovered') fail('is charged for a process that died');
      const isEnded = seen.status === 'completed' && !charge.isEstimated;
      if (isEnded && !isReported(world, job.marker, charge))
        fail(`was charged for ${charge.input}+${charge.output} tokens, which no vendor reported`);
    }
  }
  return new Set(createdJobs(clients).flatMap(({ requestId }) => requestId ?? []));
}

function checkJob({ simulation, watch }: World, { job, seen }: { job: BackgroundJob; seen: SeenJob }): void {
  const { marker, isCanceled } = job;
  const fail = (why: string) => simulation.fail(`the background response of ${marker} ${why}`);
  if (seen.status === 'completed' && !seen.text.startsWith(`${marker} `)) fail(`has the text ${seen.text}`);
  if (seen.status === 'completed' && watch.callsOf(marker).length === 0) fail('was never at a vendor');
  if (seen.status === 'cancelled' && !isCanceled) fail('is canceled, and nobody has asked for it');
  const before = job.seen && hasEnded(job.seen) ? job.seen : undefined;
  if (before && (before.status !== seen.status || before.text !== seen.text))
    fail(`was ${before.status} (${before.text}) and is ${seen.status} (${seen.text})`);
  job.seen = seen;
}
