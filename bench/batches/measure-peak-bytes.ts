const WATCH_EVERY_MS = 20;

/** Reads the resident memory of the gateway from its metrics. */
export async function readResidentBytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1];
  if (bytes === undefined) throw new Error('the metrics have no resident memory');
  return Number(bytes);
}

/** Runs some work, and returns the largest resident memory of the gateway during it. */
export async function measurePeakBytes(url: string, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await readResidentBytes(url));
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
