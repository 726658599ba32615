import type { Finding } from '../overload/finding.ts';
import { startLoadedGateway } from '../overload/start-loaded-gateway.ts';
import type { Workplace } from '../workplace.ts';
import { BatchCaller } from './batch-caller.ts';

const GOAL_BYTES = 20 * 1024 * 1024;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 3;
const WATCH_EVERY_MS = 20;
/** The size of an item. A thousand items are as large as a body can be. */
const BYTES_EACH = 10_300;

/** Reads the resident memory of the gateway from its metrics. */
async function residentBytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}

/** Runs some work, and returns the largest resident memory meanwhile. */
async function peakDuring(url: string, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentBytes(url));
      await Bun.sleep(WATCH_EVERY_MS);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await watching;
  }
  return peak;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** Measures the memory of a batch of the maximum size, on a server that has already run one. */
export async function measureMemory(workplace: Workplace): Promise<Finding[]> {
  const load = { models: { instant: 1 }, slots: 1_000, thinkingMs: 0, queueWaitSeconds: 60 };
  const { url, paid } = await startLoadedGateway(workplace, load);
  const caller = new BatchCaller({ url, key: paid[0]! });
  const run = async () => {
    const id = await caller.create('instant', { items: 1_000, bytesEach: BYTES_EACH });
    await caller.untilEnded(id);
    await caller.readResults(id);
  };
  const atStart = await residentBytes(url);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await run();
  const before = await residentBytes(url);
  const peaks: number[] = [];
  const after: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    peaks.push(await peakDuring(url, run));
    after.push(await residentBytes(url));
  }
  const change = Math.max(...after.map((bytes) => Math.abs(bytes - before)));
  const text = [
    `a batch of 10 MB, created, run and read: from ${megabytes(before)} to ${after.map(megabytes).join(', ')}`,
    `at most ${megabytes(Math.max(...peaks))} while its body is read (${megabytes(atStart)} before the first one)`,
  ].join(', ');
  const goal = { text: `± ${megabytes(GOAL_BYTES)} from batch to batch`, isMet: change <= GOAL_BYTES };
  return [{ text, goal }];
}
