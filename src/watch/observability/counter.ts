import { type Exposition, formatHead, formatLabels } from './exposition.ts';
import type { FamilyReading, Metric, MetricFamily, MetricName } from './metric.ts';
import { SeriesMap } from './series-map.ts';

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
