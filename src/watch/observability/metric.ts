import type { Exposition, MetricType } from './exposition.ts';
import type { HistogramReading } from './histogram-series.ts';

/**
 * One or more metric families. An observation costs one map access; common libraries hash an object of
 * labels.
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
