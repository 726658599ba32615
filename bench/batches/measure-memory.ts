import type { Finding } from '../overload/finding.ts';
import { startLoadedGateway } from '../overload/start-loaded-gateway.ts';
import type { Workplace } from '../workplace.ts';
import { BatchCaller } from './batch-caller.ts';
import { measurePeakBytes, readResidentBytes } from './measure-peak-bytes.ts';

const GOAL_BYTES = 20 * 1024 * 1024;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 3;
/** The size of an item. A thousand items are as large as a body can be. */
const BYTES_EACH = 10_300;

const formatMegabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

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
  const atStart = await readResidentBytes(url);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await run();
  const before = await readResidentBytes(url);
  const peaks: number[] = [];
  const after: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    peaks.push(await measurePeakBytes(url, run));
    after.push(await readResidentBytes(url));
  }
  const change = Math.max(...after.map((bytes) => Math.abs(bytes - before)));
  const text = [
    `a batch of 10 MB: from ${formatMegabytes(before)} to ${after.map(formatMegabytes).join(', ')}`,
    `at most ${formatMegabytes(Math.max(...peaks))} while it is created, run and read`,
    `${formatMegabytes(atStart)} before the first one`,
  ].join(', ');
  const goal = { text: `± ${formatMegabytes(GOAL_BYTES)} from batch to batch`, isMet: change <= GOAL_BYTES };
  return [{ text, goal }];
}
