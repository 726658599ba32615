import { type Exposition, formatHead, formatLabels } from './exposition.ts';
import type { FamilyReading, Metric, MetricFamily, MetricName } from './metric.ts';

type Reading = () => Iterable<readonly [values: readonly string[], value: number]>;

/** A metric whose value is read at each scrape. */
export class ReadMetric implements Metric {
  readonly #family: MetricFamily;
  readonly #read: Reading;

  /** A `counter` exposes a count that another part maintains and that never decreases. */
  constructor(name: MetricName, read: Reading, type: 'gauge' | 'counter' = 'gauge') {
    this.#family = { labels: [], ...name, type };
    this.#read = read;
  }

  get families(): MetricFamily[] {
    return [this.#family];
  }

  format(exposition: Exposition = 'prometheus'): string {
    const { name, labels } = this.#family;
    let text = formatHead(this.#family, exposition);
    for (const [values, value] of this.#read()) text += `${name}${formatLabels(labels, values)} ${value}\n`;
    return text;
  }

  read(): FamilyReading[] {
    const series = [...this.#read()].map(([values, value]) => ({ values, value }));
    return [{ family: this.#family, series }];
  }
}

/** Makes a gauge or a counter without labels. It has no sample while its value is undefined. */
export const single = (
  name: Pick<MetricName, 'name' | 'help'>,
  read: () => number | undefined,
  type: 'gauge' | 'counter' = 'gauge',
): ReadMetric =>
  new ReadMetric(
    name,
    () => {
      const value = read();
      return value === undefined ? [] : [[[], value]];
    },
    type,
  );
