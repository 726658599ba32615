import { Refusal } from '../../base/errors/refusal.ts';

type Work<I, T> = {
  items: readonly I[];
  /** The number of tasks that run at a time. */
  maxConcurrent: number;
  run(item: I): Promise<T | Refusal>;
  /** Ends the running tasks after one is refused. */
  callOff(): void;
};

/** Runs a task for each item, and returns their results in order or the first refusal. */
export async function allOrRefusal<I, T>({
  items,
  maxConcurrent,
  run,
  callOff,
}: Work<I, T>): Promise<T[] | Refusal> {
  const results: T[] = [];
  let refusal: Refusal | undefined;
  const waiting = items.entries();
  const work = async () => {
    for (const [index, item] of waiting) {
      if (refusal) return;
      const result = await run(item);
      if (!(result instanceof Refusal)) results[index] = result;
      else if (!refusal) {
        refusal = result;
        callOff();
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, work));
  } finally {
    callOff();
  }
  return refusal ?? results;
}
