import { Refusal } from '../../base/errors/refusal.ts';

type Work<T> = {
  count: number;
  /** The number of tasks that run at a time. */
  maxConcurrent: number;
  run(index: number): Promise<T | Refusal>;
  /** Ends the running tasks after one is refused. */
  callOff(): void;
};

/** Runs all tasks, and returns their results in order or the first refusal. */
export async function allOrRefusal<T>({
  count,
  maxConcurrent,
  run,
  callOff,
}: Work<T>): Promise<T[] | Refusal> {
  const results: T[] = [];
  let refusal: Refusal | undefined;
  let next = 0;
  const work = async () => {
    while (next < count && !refusal) {
      const index = next++;
      const result = await run(index);
      if (!(result instanceof Refusal)) results[index] = result;
      else if (!refusal) {
        refusal = result;
        callOff();
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxConcurrent, count) }, work));
  } finally {
    callOff();
  }
  return refusal ?? results;
}
