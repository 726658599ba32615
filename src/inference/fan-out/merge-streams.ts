type Arrival<T> = { source: AsyncGenerator<T>; result: IteratorResult<T> } | { error: unknown };

/**
 * Merges several streams into one, in the order in which their pieces arrive. At most `maxConcurrent` streams
 * are open at a time, and the next one starts when one ends. Each stream is asked for its next piece only
 * after its last piece was taken. A slow reader therefore slows down all streams. A consumer that stops early
 * must end what the sources wait for.
 */
export async function* mergeStreams<T>(
  sources: readonly AsyncGenerator<T>[],
  maxConcurrent: number,
): AsyncGenerator<T, void> {
  const arrivals: Arrival<T>[] = [];
  const waiting = sources.values();
  const opened: AsyncGenerator<T>[] = [];
  let wake = () => {};
  let open = 0;
  const arrive = (arrival: Arrival<T>) => {
    arrivals.push(arrival);
    wake();
  };
  const pull = (source: AsyncGenerator<T>) =>
    void source.next().then(
      (result) => arrive({ source, result }),
      (error: unknown) => arrive({ error }),
    );
  const openNext = () => {
    const { value } = waiting.next();
    if (!value) return;
    open++;
    opened.push(value);
    pull(value);
  };
  for (let count = 0; count < maxConcurrent; count++) openNext();
  try {
    while (open > 0) {
      if (arrivals.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const arrival = arrivals.shift()!; // the wait ends with an arrival
      if ('error' in arrival) throw arrival.error;
      if (arrival.result.done) {
        open--;
        openNext();
      } else {
        yield arrival.result.value;
        pull(arrival.source);
      }
    }
  } finally {
    await Promise.allSettled(opened.map((source) => source.return(undefined)));
  }
}
