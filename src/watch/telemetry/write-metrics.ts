import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';
import type { ExemplarReading, HistogramReading } from '../observability/histogram-series.ts';
import type { FamilyReading, MetricFamily, SeriesReading } from '../observability/metric.ts';
import { type AttributeValue, writeAttributes } from './attributes.ts';
import { genAiLabels, genAiMetrics } from './gen-ai-metrics.ts';
import { genAiNamesOf } from './gen-ai-names.ts';
import { CUMULATIVE, otlp } from './otlp-fields.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';

const { metric: fields, data, numberPoint, histogramPoint, exemplar, scope } = otlp;

const units: readonly (readonly [ending: string, unit: string])[] = [
  ['_seconds', 's'],
  ['_seconds_total', 's'],
  ['_bytes', 'By'],
];

const unitOf = (name: string): string => units.find(([ending]) => name.endsWith(ending))?.[1] ?? '1';

const kinds: Readonly<Record<MetricFamily['type'], number>> = {
  gauge: fields.gauge,
  counter: fields.sum,
  histogram: fields.histogram,
};

/** A series with its attributes. */
type Point = Pick<SeriesReading, 'value'> & { labels: Readonly<Record<string, AttributeValue>> };

type WrittenMetric = Pick<MetricFamily, 'name' | 'help' | 'type'> & {
  unit: string;
  points: readonly Point[];
};

/** Writes the values of a registry as fields of ScopeMetrics. */
export function writeMetrics(
  writer: ProtobufWriter,
  families: readonly FamilyReading[],
  names: TelemetrySettings['genAiNames'],
): void {
  const at = performance.timeOrigin + performance.now();
  for (const reading of families)
    for (const metric of [ownMetric(reading), ...genAiMetricsOf(reading, names)])
      if (metric.points.length > 0) writeMetric(writer, metric, at);
}

const ownMetric = ({ family, series }: FamilyReading): WrittenMetric => ({
  ...family,
  unit: unitOf(family.name),
  points: series.map(({ values, value }) => ({
    value,
    labels: labelsOf(family, values),
  })),
});

const labelsOf = (
  { labels }: FamilyReading['family'],
  values: readonly string[],
): Record<string, string | undefined> =>
  Object.fromEntries(labels.map((label, index) => [label, values[index]]));

function genAiMetricsOf(
  { family, series }: FamilyReading,
  names: TelemetrySettings['genAiNames'],
): WrittenMetric[] {
  const providerAttributes = genAiNamesOf(names, 'provider');
  return genAiMetrics
    .filter(({ histogram }) => histogram === family.name)
    .map(({ name, description, unit }) => ({
      name,
      help: description,
      type: family.type,
      unit,
      points: series.flatMap(({ values, value }) => {
        const labels = genAiLabels(labelsOf(family, values), providerAttributes);
        return labels ? [{ value, labels }] : [];
      }),
    }));
}

function writeMetric(
  writer: ProtobufWriter,
  { name, help, type, unit, points }: WrittenMetric,
  at: number,
): void {
  const metric = writer.open(scope.items);
  writer.stringField(fields.name, name);
  writer.stringField(fields.description, help);
  writer.stringField(fields.unit, unit);
  const kind = writer.open(kinds[type]);
  for (const point of points) {
    const start = writer.open(data.points);
    if (typeof point.value === 'number') writeNumber(writer, point.value, point.labels, at);
    else writeHistogram(writer, point.value, point.labels, at);
    writer.close(start);
  }
  if (type !== 'gauge') writer.varintField(data.temporality, CUMULATIVE);
  if (type === 'counter') writer.varintField(data.isMonotonic, 1);
  writer.close(kind);
  writer.close(metric);
}

function writeNumber(writer: ProtobufWriter, value: number, labels: Point['labels'], at: number): void {
  writer.timeField(numberPoint.startedAt, performance.timeOrigin);
  writer.timeField(numberPoint.at, at);
  writer.doubleField(numberPoint.double, value);
  writeAttributes(writer, numberPoint.attributes, labels);
}

function writeHistogram(
  writer: ProtobufWriter,
  { bounds, counts, sum, exemplars }: HistogramReading,
  labels: Point['labels'],
  at: number,
): void {
  writer.timeField(histogramPoint.startedAt, performance.timeOrigin);
  writer.timeField(histogramPoint.at, at);
  writer.fixed64Field(
    histogramPoint.count,
    counts.reduce((one, other) => one + other, 0),
  );
  writer.doubleField(histogramPoint.sum, sum);
  const buckets = writer.open(histogramPoint.bucketCounts);
  for (const count of counts) writer.fixed64(count);
  writer.close(buckets);
  const limits = writer.open(histogramPoint.bounds);
  for (const bound of bounds) writer.double(bound);
  writer.close(limits);
  for (const each of exemplars) if (each.traceId !== '') writeExemplar(writer, each);
  writeAttributes(writer, histogramPoint.attributes, labels);
}

function writeExemplar(
  writer: ProtobufWriter,
  { requestId, value, endedAtMs, traceId, spanId }: ExemplarReading,
): void {
  const start = writer.open(histogramPoint.exemplars);
  writer.timeField(exemplar.at, performance.timeOrigin + endedAtMs);
  writer.doubleField(exemplar.double, value);
  writer.hexField(exemplar.spanId, spanId);
  writer.hexField(exemplar.traceId, traceId);
  writeAttributes(writer, exemplar.attributes, { request_id: requestId });
  writer.close(start);
}
