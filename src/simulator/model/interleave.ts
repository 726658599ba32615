/** Takes one value from each source in turn, so that no source ends before each has begun. */
export function* interleave<T>(sources: readonly Iterable<T>[]): Iterable<T> {
  let open = sources.map((source) => source[Symbol.iterator]());
  while (open.length > 0) {
    const still: Iterator<T>[] = [];
    for (const source of open) {
      const { value, done } = source.next();
      if (done) continue;
      yield value;
      still.push(source);
    }
    open = still;
  }
}
