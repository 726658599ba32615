/**
 * The limit of series for each metric. Further series are dropped, since clients choose the value of some
 * labels.
 */
const MAX_SERIES = 2_000;

type SeriesNode<T> = Map<string, SeriesNode<T> | T>;
type LabelledSeries<T> = { values: readonly string[]; series: T };

/**
 * Series by label values, created on first use. Nested maps, one for each label, avoid building a joined key.
 */
export class SeriesMap<T> {
  readonly #make: () => T;
  readonly #root: SeriesNode<T> = new Map();
  readonly #all: LabelledSeries<T>[] = [];
  /**
   * The two most recent series. Consecutive requests mostly use the same series, and some metrics use a pair
   * for each request.
   */
  #last: LabelledSeries<T> | undefined;
  #lastButOne: LabelledSeries<T> | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  of(values: readonly string[]): T | undefined {
    if (this.#last && isSame(this.#last.values, values)) return this.#last.series;
    const before = this.#lastButOne;
    const isBefore = before !== undefined && isSame(before.values, values);
    const series = isBefore ? before.series : this.#find(values);
    if (series === undefined) return undefined;
    this.#lastButOne = this.#last;
    this.#last = isBefore ? before : { values, series };
    return series;
  }

  all(): Iterable<LabelledSeries<T>> {
    return this.#all;
  }

  #find(values: readonly string[]): T | undefined {
    let node: SeriesNode<T> = this.#root;
    const last = values.length - 1;
    for (let index = 0; index < last; index++) {
      let next = node.get(values[index]!) as SeriesNode<T> | undefined;
      if (!next) {
        if (this.#all.length >= MAX_SERIES) return undefined;
        next = new Map();
        node.set(values[index]!, next);
      }
      node = next;
    }
    return (node.get(values[last]!) as T | undefined) ?? this.#add(node, values);
  }

  #add(node: SeriesNode<T>, values: readonly string[]): T | undefined {
    if (this.#all.length >= MAX_SERIES) return undefined;
    const series = this.#make();
    node.set(values[values.length - 1]!, series);
    this.#all.push({ values, series });
    return series;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
