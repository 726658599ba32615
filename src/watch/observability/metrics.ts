import { type Exposition, formatHead, formatLabels, type MetricType } from './exposition.ts';
import { type HistogramReading, HistogramSeries } from './histogram-series.ts';
import { SeriesMap } from './series-map.ts';

/**
 * One or more metric families. An observation costs one map access;
 * common libraries hash an object of labels.
 */
export type Metric = {
  readonly families: readonly MetricFamily[];
  format(exposition?: Exposition): string;
  /** Returns the current values, for other formats. */
  read(): FamilyReading[];
};

/** The value of one series. */
export type SeriesReading = { values: readonly string[]; value: number | HistogramReading };

export type FamilyReading = { family: MetricFamily; series: SeriesReading[] };

/** A metric's description, as documented. */
export type MetricFamily = Required<MetricName> & { type: MetricType };

export type MetricName = { name: string; help: string; labels?: readonly string[] };

/** A handle to one series of a counter. */
export type Count = { count: number };

/** A count that only grows. */
export class Counter implements Metric {
  readonly #family: MetricFamily;
  readonly #series = new SeriesMap<Count>(() => ({ count: 0 }));

  constructor(name: MetricName) {
    this.#family = { labels: [], ...name, type: 'counter' };
  }

  get families(): MetricFamily[] {
    return [this.#family];
  }

  add(values: readonly string[], by = 1): void {
    const series = this.#series.of(values);
    if (series) series.count += by;
  }

  /** Returns the series itself. Above the limit of series, its count goes nowhere. */
  handle(values: readonly string[]): Count {
    return this.#series.of(values) ?? { count: 0 };
  }

  format(exposition: Exposition = 'prometheus'): string {
    const { name, labels } = this.#family;
    let text = formatHead(this.#family, exposition);
    for (const { values, series } of this.#series.all())
      text += `${name}${formatLabels(labels, values)} ${series.count}\n`;
    return text;
  }

  read(): FamilyReading[] {
    const readings = Array.from(this.#series.all(), ({ values, series }) => ({
      values,
      value: series.count,
    }));
    return [{ family: this.#family, series: readings }];
  }
}

type Reading = () => Iterable<readonly [values: readonly string[], value: number]>;

/** A metric whose value is read at each scrape. */
export class Gauge implements Metric {
  readonly #family: MetricFamily;
  readonly #read: Reading;

  /** `counter` exposes a count that another part maintains and that never decreases. */
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

/** Makes a gauge or a counter without labels. Its value is undefined if there is none at the moment. */
export const single = (
  name: Pick<MetricName, 'name' | 'help'>,
  read: () => number | undefined,
  type: 'gauge' | 'counter' = 'gauge',
): Gauge =>
  new Gauge(
    name,
    () => {
      const value = read();
      return value === undefined ? [] : [[[], value]];
    },
    type,
  );

/** Counts observations by their size. */
export class Histogram implements Metric {
  readonly #family: MetricFamily;
  readonly #series: SeriesMap<HistogramSeries>;

  constructor(name: MetricName, bounds: readonly number[]) {
    this.#family = { labels: [], ...name, type: 'histogram' };
    this.#series = new SeriesMap(() => new HistogramSeries(bounds));
  }

  get families(): MetricFamily[] {
    return [this.#family];
  }

  observe(values: readonly string[], value: number): void {
    this.#series.of(values)?.observe(value);
  }

  format(exposition: Exposition = 'prometheus'): string {
    const { name, labels } = this.#family;
    let text = formatHead(this.#family, exposition);
    for (const { values, series } of this.#series.all())
      text += series.format(name, { labels, values }, exposition);
    return text;
  }

  read(): FamilyReading[] {
    const readings = Array.from(this.#series.all(), ({ values, series }) => ({
      values,
      value: series.read(),
    }));
    return [{ family: this.#family, series: readings }];
  }
}
