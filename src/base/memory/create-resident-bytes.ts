/**
 * Returns a function that reads the resident size of the process. The reading opens a file, which fails while
 * no descriptor is free. The last size is returned then.
 */
export function createResidentBytes(read: () => number = process.memoryUsage.rss): () => number {
  let last = 0;
  return () => {
    try {
      last = read();
    } catch {
      // The last size is at most a shortage of descriptors old.
    }
    return last;
  };
}
