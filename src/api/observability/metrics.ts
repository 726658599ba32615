/** A metric in the Prometheus text format. An observation costs one map access; common libraries hash an object of labels. */
export type Metric = { format(): string };

/** The limit of series for each metric. Further series are dropped, since clients choose the value of some labels. */
const MAX_SERIES = 2_000;

const escapeLabel = (value: string): string =>
  value.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`));

function formatLabels(names: readonly string[], values: readonly string[]): string {
  const pairs = names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const head = (name: string, help: string, type: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

type SeriesNode<T> = Map<string, SeriesNode<T> | T>;
type LabelledSeries<T> = { values: readonly string[]; series: T };

/** Series by label values, created on first use. Nested maps, one for each label, avoid building a joined key. */
class SeriesMap<T> {
  readonly #make: () => T;
  readonly #root: SeriesNode<T> = new Map();
  readonly #all: LabelledSeries<T>[] = [];
  /** The two most recent series. Consecutive requests mostly use the same series, and some metrics use a pair for each request. */
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

export type MetricName = { name: string; help: string; labels?: readonly string[] };

export class Counter implements Metric {
  readonly #name: Required<MetricName>;
  readonly #series = new SeriesMap(() => ({ count: 0 }));

  constructor(name: MetricName) {
    this.#name = { labels: [], ...name };
  }

  add(values: readonly string[], by = 1): void {
    const series = this.#series.of(values);
    if (series) series.count += by;
  }

  format(): string {
    const { name, help, labels } = this.#name;
    const lines = [...this.#series.all()].map(
      ({ values, series }) => `${name}${formatLabels(labels, values)} ${series.count}\n`,
    );
    return head(name, help, 'counter') + lines.join('');
  }
}

type Reading = () => Iterable<readonly [values: readonly string[], value: number]>;

/** A metric whose value is read at each scrape. */
export class Gauge implements Metric {
  readonly #name: Required<MetricName>;
  readonly #read: Reading;
  readonly #type: 'gauge' | 'counter';

  /** `counter` exposes a count that another part maintains and that never decreases. */
  constructor(name: MetricName, read: Reading, type: 'gauge' | 'counter' = 'gauge') {
    this.#name = { labels: [], ...name };
    this.#read = read;
    this.#type = type;
  }

  format(): string {
    const { name, help, labels } = this.#name;
    const lines = [...this.#read()].map(
      ([values, value]) => `${name}${formatLabels(labels, values)} ${value}\n`,
    );
    return head(name, help, this.#type) + lines.join('');
  }
}

export class Histogram implements Metric {
  readonly #name: Required<MetricName>;
  readonly #bounds: readonly number[];
  readonly #series: SeriesMap<{ counts: number[]; sum: number }>;

  constructor(name: MetricName, bounds: readonly number[]) {
    this.#name = { labels: [], ...name };
    this.#bounds = bounds;
    this.#series = new SeriesMap(() => ({ counts: new Array(bounds.length + 1).fill(0), sum: 0 }));
  }

  observe(values: readonly string[], value: number): void {
    const series = this.#series.of(values);
    if (!series) return;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.sum += value;
  }

  format(): string {
    const { name, help, labels } = this.#name;
    let text = head(name, help, 'histogram');
    for (const { values, series } of this.#series.all()) {
      let total = 0;
      for (const [index, count] of series.counts.entries()) {
        total += count;
        const bound = this.#bounds[index] ?? '+Inf';
        text += `${name}_bucket${formatLabels([...labels, 'le'], [...values, String(bound)])} ${total}\n`;
      }
      text += `${name}_sum${formatLabels(labels, values)} ${series.sum}\n${name}_count${formatLabels(labels, values)} ${total}\n`;
    }
    return text;
  }
}
