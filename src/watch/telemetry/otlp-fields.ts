/** The field numbers of OTLP 1.x, by message. They never change within a major version. */
export const otlp = {
  request: { resources: 1 },
  /** ResourceSpans and ResourceMetrics. */
  resource: { resource: 1, scopes: 2 },
  /** ScopeSpans and ScopeMetrics. */
  scope: { scope: 1, items: 2 },
  attributes: { attributes: 1 },
  instrumentation: { name: 1, version: 2 },
  keyValue: { key: 1, value: 2 },
  value: { string: 1, bool: 2, int: 3, double: 4, array: 5 },
  array: { values: 1 },
  span: {
    traceId: 1,
    spanId: 2,
    traceState: 3,
    parentSpanId: 4,
    name: 5,
    kind: 6,
    startedAt: 7,
    endedAt: 8,
    attributes: 9,
    status: 15,
  },
  status: { message: 2, code: 3 },
  metric: { name: 1, description: 2, unit: 3, gauge: 5, sum: 7, histogram: 9 },
  /** Gauge, Sum and Histogram. */
  data: { points: 1, temporality: 2, isMonotonic: 3 },
  numberPoint: { startedAt: 2, at: 3, double: 4, attributes: 7 },
  histogramPoint: {
    startedAt: 2,
    at: 3,
    count: 4,
    sum: 5,
    bucketCounts: 6,
    bounds: 7,
    exemplars: 8,
    attributes: 9,
  },
  exemplar: { at: 2, double: 3, spanId: 4, traceId: 5, attributes: 7 },
  /** ExportTraceServiceResponse and ExportMetricsServiceResponse. */
  response: { partialSuccess: 1 },
  partialSuccess: { rejected: 1, message: 2 },
} as const;

export const spanKinds = { internal: 1, server: 2, client: 3 } as const;
export const STATUS_ERROR = 2;
export const CUMULATIVE = 2;
