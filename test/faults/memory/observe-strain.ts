import { forgetPeak, peakMb, residentMb } from '../../support/process-memory.ts';
import type { StrainedServer } from './start-strained-server.ts';

const ASK_EVERY_MS = 20;
const WARM_UPS = 20;
/** The runtime keeps this much freed memory after an attack, and has mapped more of the program. */
const LEFT_BEHIND_MB = 80;
const MAX_WAIT_MS = 75_000;

export type Strain<T> = {
  result: T;
  idleMb: number;
  peakMb: number;
  /** The time until memory was within 80 MB of its initial value. Undefined if this took more than 75 s. */
  backAfterMs: number | undefined;
  afterMb: number;
  tookMs: number;
  bystander: { statuses: number[]; p50Ms: number; longestMs: number };
};

/** Measures the server's memory and the waits of a bystander during an attack. */
export async function observeStrain<T>(
  gateway: StrainedServer,
  attack: () => Promise<T>,
): Promise<Strain<T>> {
  const { server, bystander } = gateway;
  const ask = () => server.chat(bystander, 'quick').then(({ status }) => status);
  for (let times = 0; times < WARM_UPS; times++) await ask();
  const idleMb = residentMb(server.pid);
  forgetPeak(server.pid);
  const asking = keepAsking(ask);
  const begun = performance.now();
  const result = await attack();
  const tookMs = performance.now() - begun;
  const seen = await asking.stop();
  const backAfterMs = await timeUntil(() => residentMb(server.pid) < idleMb + LEFT_BEHIND_MB);
  const figures = { idleMb, peakMb: peakMb(server.pid), afterMb: residentMb(server.pid) };
  return { result, ...figures, backAfterMs, tookMs, bystander: seen };
}

/** Repeats a bystander's request until `stop()`. */
function keepAsking(ask: () => Promise<number>) {
  const statuses: number[] = [];
  const times: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const since = performance.now();
      statuses.push(await ask());
      times.push(performance.now() - since);
      await Bun.sleep(ASK_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      const sorted = times.toSorted((a, b) => a - b);
      return { statuses, p50Ms: sorted[sorted.length >> 1]!, longestMs: sorted.at(-1)! };
    },
  };
}

async function timeUntil(isSo: () => boolean): Promise<number | undefined> {
  const since = performance.now();
  while (performance.now() - since < MAX_WAIT_MS) {
    if (isSo()) return performance.now() - since;
    await Bun.sleep(50);
  }
  return undefined;
}
