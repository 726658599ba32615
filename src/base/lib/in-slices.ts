/** Work that may be interrupted at each `yield`. */
export type Steps<T> = Generator<void, T>;

/** No request waits longer than this for work that is done in slices. */
const SLICE_MS = 2;

/** Does all of it in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

type Pauses = { now(): number; pause(): Promise<void> };

/** `setImmediate` lets everything else have its turn first, sockets included. */
const usual: Pauses = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Does it in slices of the event loop's time, so that requests are served between them. */
export async function inSlices<T>(steps: Steps<T>, { now, pause }: Pauses = usual): Promise<T> {
  let until = now() + SLICE_MS;
  let step = steps.next();
  while (!step.done) {
    if (now() >= until) {
      await pause();
      until = now() + SLICE_MS;
    }
    step = steps.next();
  }
  return step.value;
}
