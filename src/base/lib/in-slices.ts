/** Work that can be interrupted at each `yield`. */
export type Steps<T> = Generator<void, T>;

/** Sliced work delays a request by at most this long. */
const SLICE_MS = 2;

/** Runs all of the work without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

type Pauses = { now(): number; pause(): Promise<void> };

/** `setImmediate` runs after pending events, sockets included. */
const eventLoop: Pauses = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Runs the work in slices of the event loop's time, so that requests are served in between. */
export async function inSlices<T>(steps: Steps<T>, { now, pause }: Pauses = eventLoop): Promise<T> {
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
