import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';
import type { ExemplarReading, HistogramReading } from '../observability/histogram-series.ts';
import type { FamilyReading, MetricFamily, SeriesReading } from '../observability/metrics.ts';
import { attributesOf } from './attributes.ts';
import { genAiLabels, genAiMetrics } from './gen-ai-metrics.ts';
import { genAiNamesOf } from './gen-ai-names.ts';
import { CUMULATIVE, otlp } from './otlp-fields.ts';
import {
  bytesField,
  double,
  fixed64,
  fixed64Field,
  hexBytes,
  nanoseconds,
  stringField,
  varintField,
} from './protobuf.ts';

const { metric: fields, data, numberPoint, histogramPoint, exemplar, scope } = otlp;

/** The times of one export: the start of the process, and now. */
type Span = { startedAt: string; at: string };

const units: readonly (readonly [ending: string, unit: string])[] = [
  ['_seconds', 's'],
  ['_seconds_total', 's'],
  ['_bytes', 'By'],
];

const unitOf = (name: string): string => units.find(([ending]) => name.endsWith(ending))?.[1] ?? '1';

/** Encodes the values of a registry as fields of ScopeMetrics. */
export function encodeMetrics(
  families: readonly FamilyReading[],
  names: TelemetrySettings['genAiNames'],
): string {
  const span: Span = {
    startedAt: nanoseconds(performance.timeOrigin),
    at: nanoseconds(performance.timeOrigin + performance.now()),
  };
  return families.map((reading) => encodeFamily(reading, span) + encodeGenAi(reading, names, span)).join('');
}

function encodeFamily({ family, series }: FamilyReading, span: Span): string {
  if (series.length === 0) return '';
  const { name, help, labels } = family;
  const points = series.map((each) => encodePoint(each, labelAttributes(labels, each.values, family), span));
  return encodeMetric({ name, help, unit: unitOf(name), type: family.type, points });
}

function labelAttributes(
  labels: readonly string[],
  values: readonly string[],
  { type }: MetricFamily,
): string {
  const field = type === 'histogram' ? histogramPoint.attributes : numberPoint.attributes;
  return attributesOf(field, Object.fromEntries(labels.map((label, index) => [label, values[index]])));
}

function encodeGenAi(
  { family, series }: FamilyReading,
  names: TelemetrySettings['genAiNames'],
  span: Span,
): string {
  const own = genAiMetrics.find(({ of }) => of === family.name);
  if (!own) return '';
  const providerAttributes = genAiNamesOf(names, 'provider');
  const points = series.flatMap((each) => {
    const labels = genAiLabels(each.values, providerAttributes);
    return labels ? [encodePoint(each, attributesOf(histogramPoint.attributes, labels), span)] : [];
  });
  if (points.length === 0) return '';
  return encodeMetric({ name: own.name, help: own.description, unit: 's', type: 'histogram', points });
}

type EncodedMetric = {
  name: string;
  help: string;
  unit: string;
  type: MetricFamily['type'];
  points: readonly string[];
};

function encodeMetric({ name, help, unit, type, points }: EncodedMetric): string {
  const temporality = varintField(data.temporality, CUMULATIVE);
  const content = points.map((point) => bytesField(data.points, point)).join('');
  const kinds: Readonly<Record<MetricFamily['type'], () => string>> = {
    gauge: () => bytesField(fields.gauge, content),
    counter: () => bytesField(fields.sum, content + temporality + varintField(data.isMonotonic, 1)),
    histogram: () => bytesField(fields.histogram, content + temporality),
  };
  const head =
    stringField(fields.name, name) + stringField(fields.description, help) + stringField(fields.unit, unit);
  return bytesField(scope.items, head + kinds[type]());
}

function encodePoint({ value }: SeriesReading, attributes: string, { startedAt, at }: Span): string {
  if (typeof value !== 'number') return encodeHistogram(value, attributes, { startedAt, at });
  return (
    fixed64Field(numberPoint.startedAt, startedAt) +
    fixed64Field(numberPoint.at, at) +
    fixed64Field(numberPoint.double, double(value)) +
    attributes
  );
}

function encodeHistogram(
  { bounds, counts, sum, exemplars }: HistogramReading,
  attributes: string,
  { startedAt, at }: Span,
): string {
  const total = counts.reduce((one, other) => one + other, 0);
  return (
    fixed64Field(histogramPoint.startedAt, startedAt) +
    fixed64Field(histogramPoint.at, at) +
    fixed64Field(histogramPoint.count, fixed64(total)) +
    fixed64Field(histogramPoint.sum, double(sum)) +
    bytesField(histogramPoint.bucketCounts, counts.map(fixed64).join('')) +
    bytesField(histogramPoint.bounds, bounds.map(double).join('')) +
    exemplars
      .filter(({ traceId }) => traceId !== '')
      .map((each) => bytesField(histogramPoint.exemplars, encodeExemplar(each)))
      .join('') +
    attributes
  );
}

const encodeExemplar = ({ requestId, value, endedAtMs, traceId, spanId }: ExemplarReading): string =>
  fixed64Field(exemplar.at, nanoseconds(performance.timeOrigin + endedAtMs)) +
  fixed64Field(exemplar.double, double(value)) +
  bytesField(exemplar.spanId, hexBytes(spanId)) +
  bytesField(exemplar.traceId, hexBytes(traceId)) +
  attributesOf(exemplar.attributes, { request_id: requestId });
