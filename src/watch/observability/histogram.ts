import { type Exposition, formatHead } from './exposition.ts';
import { HistogramSeries } from './histogram-series.ts';
import type { FamilyReading, Metric, MetricFamily, MetricName } from './metric.ts';
import { SeriesMap } from './series-map.ts';

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
