import type { Clock } from '../../base/lib/clock.ts';
import { type BackgroundResponse, type BackgroundStore, isUnfinished } from './background-store.ts';
import type { RunningJob } from './running-jobs.ts';

/** The longest wait for a response on another node to end after it was canceled. */
const CANCEL_WAIT_MS = 10_000;
const CANCEL_STEP_MS = 100;

/**
 * Cancels a response, and waits until it has ended. `ownJob` returns the job, if this process makes the
 * response. Returns undefined if there is none.
 */
export async function cancelBackground(
  wanted: { id: string; keyId: string },
  { store, clock, ownJob }: { store: BackgroundStore; clock: Clock; ownJob(): RunningJob | undefined },
): Promise<BackgroundResponse | undefined> {
  const find = () => store.findBackground({ ...wanted, now: clock.now() });
  const isOpen = async (): Promise<boolean> => {
    const progress = await store.findProgress({ ...wanted, now: clock.now() });
    return progress !== undefined && isUnfinished(progress);
  };
  const response = await find();
  const isCanceled = response && (await store.cancelBackground({ ...wanted, now: clock.now() }));
  if (!isCanceled) return response;
  const running = ownJob();
  running?.job.cancel();
  await running?.done;
  const until = performance.now() + CANCEL_WAIT_MS;
  while ((await isOpen()) && performance.now() < until) await Bun.sleep(CANCEL_STEP_MS);
  return (await find()) ?? response;
}
