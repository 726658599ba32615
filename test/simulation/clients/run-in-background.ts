import { type BackgroundJob, hasEnded, readJob } from './background-job.ts';
import { dialects, usual } from './bodies.ts';
import type { Clients } from './clients.ts';

const MAX_POLLS = 40;

/** Creates a response in the background, polls it for a while, and cancels it sometimes. */
export async function runInBackground(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  const marker = clients.newName();
  const account = random.of(['unlimited', 'unlimited', 'monthly', 'purchased', 'budgeted'] as const);
  const model = random.of(['alpha', 'beta'] as const);
  const job: BackgroundJob = {
    marker,
    account,
    model,
    id: undefined,
    requestId: undefined,
    isRefused: false,
    isCanceled: false,
    seen: undefined,
  };
  clients.jobs.push(job);
  const body = { ...dialects.responses.body({ ...usual, model, marker, isStored: true }), background: true };
  const created = await clients.call(account, { method: 'POST', path: '/v1/responses', headers: {}, body });
  if (created.status !== 200 || created.ending !== 'whole') {
    job.isRefused = created.status !== undefined && created.status >= 400 && created.ending === 'whole';
    return;
  }
  job.id = (JSON.parse(created.received) as { id: string }).id;
  job.requestId = created.headers?.get('x-request-id') ?? undefined;
  const cancelsAt = random.chance(0.25) ? simulation.now + random.skewed(1, 5_000) : undefined;
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    await simulation.sleep(random.skewed(50, 2_000), 'client polls');
    if (cancelsAt !== undefined && simulation.now > cancelsAt && !job.isCanceled) {
      job.isCanceled = true;
      await clients.call(account, { method: 'POST', path: `/v1/responses/${job.id}/cancel`, headers: {} });
    }
    const { status, received, ending } = await clients.get(account, `/v1/responses/${job.id}`);
    if (status === 404) simulation.fail(`the response ${job.id} of ${marker} is lost`);
    if (status !== 200 || ending !== 'whole') continue;
    job.seen = readJob(received);
    if (hasEnded(job.seen)) return;
  }
}
