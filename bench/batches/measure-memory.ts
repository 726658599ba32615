import type { Finding } from '../overload/finding.ts';
import { type Surroundings, startLoadedGateway } from '../overload/start-loaded-gateway.ts';
import { BatchCaller } from './batch-caller.ts';

const GOAL_BYTES = 20 * 1024 * 1024;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 3;
/** A thousand of these are as much as a body may have. */
const BYTES_EACH = 10_300;

async function residentBytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** What a batch as large as can be does to a server that has had one before. */
export async function measureMemory(around: Surroundings): Promise<Finding[]> {
  const load = { models: { instant: 1 }, slots: 1_000, thinkingMs: 0, queueWaitSeconds: 60 };
  const { url, paid } = await startLoadedGateway(around, load);
  const caller = new BatchCaller(url, paid[0]!);
  const run = async () => {
    const id = await caller.create('instant', { items: 1_000, bytesEach: BYTES_EACH });
    await caller.untilEnded(id);
    await caller.readResults(id);
  };
  const atStart = await residentBytes(url);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await run();
  const before = await residentBytes(url);
  const seen: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await run();
    seen.push(await residentBytes(url));
  }
  const change = Math.max(...seen.map((bytes) => Math.abs(bytes - before)));
  const text = `a batch of 10 MB, created, run and read: from ${megabytes(before)} to ${seen.map(megabytes).join(', ')} (${megabytes(atStart)} before the first one)`;
  return [{ text, goal: { text: `± ${megabytes(GOAL_BYTES)}`, isMet: change <= GOAL_BYTES } }];
}
