import { type Exposition, formatLabels } from './exposition.ts';
import type { HistogramSeries } from './histogram-series.ts';
import type { MetricFamily, SeriesReading } from './metric.ts';
import type { RequestSeries } from './request-series.ts';

const LABELS = ['provider', 'model', 'route', 'status'];

/** The values of one combination of labels at this moment. */
type Sample = { values: readonly string[]; value: number | HistogramSeries };

type RequestFamily = MetricFamily & {
  /** Returns the samples of one series. The list is empty before the first observation. */
  samplesOf: (series: RequestSeries) => Sample[];
};

const sampleOf = (values: readonly string[], value: HistogramSeries | undefined): Sample[] =>
  value === undefined ? [] : [{ values, value }];

export const requestFamilies: readonly RequestFamily[] = [
  {
    name: 'tollgate_requests_total',
    help: 'Requests whose answer has ended.',
    labels: LABELS,
    type: 'counter',
    samplesOf: ({ values, count }) => (count === 0 ? [] : [{ values, value: count }]),
  },
  {
    name: 'tollgate_request_errors_total',
    help: 'Requests that ended with an error. A status of 2xx means that a stream broke off after it had begun.',
    labels: [...LABELS, 'code'],
    type: 'counter',
    samplesOf: ({ values, errors = new Map<string, number>() }) =>
      Array.from(errors, ([code, count]) => ({ values: [...values, code], value: count })),
  },
  {
    name: 'tollgate_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labels: LABELS,
    type: 'histogram',
    samplesOf: ({ values, count, duration }) => sampleOf(values, count === 0 ? undefined : duration),
  },
  {
    name: 'tollgate_time_to_first_token_seconds',
    help: 'Time from the arrival of a streamed request to the first part of its answer.',
    labels: LABELS,
    type: 'histogram',
    samplesOf: ({ values, firstToken }) => sampleOf(values, firstToken),
  },
  {
    name: 'tollgate_upstream_duration_seconds',
    help: 'Time from the start of a call to a provider to the end of its answer. The status is that of the call.',
    labels: LABELS,
    type: 'histogram',
    samplesOf: ({ values, upstream }) => sampleOf(values, upstream),
  },
  {
    name: 'tollgate_request_tokens',
    help: 'Tokens of a request, by direction.',
    labels: [...LABELS, 'direction'],
    type: 'histogram',
    samplesOf: ({ values, tokensEach }) =>
      Object.entries(tokensEach ?? {}).map(([direction, value]) => ({
        values: [...values, direction],
        value,
      })),
  },
];

/** Formats a sample for a scrape. */
export function formatSample(
  { name, labels }: MetricFamily,
  { values, value }: Sample,
  exposition: Exposition,
): string {
  return typeof value === 'number'
    ? `${name}${formatLabels(labels, values)} ${value}\n`
    : value.format(name, { labels, values }, exposition);
}

/** Returns a sample as a reading, for other formats. */
export const readSample = ({ values, value }: Sample): SeriesReading => ({
  values,
  value: typeof value === 'number' ? value : value.read(),
});
