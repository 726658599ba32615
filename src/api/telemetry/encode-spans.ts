import type { TimedSpan } from '../../base/tracing/request-trace.ts';
import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';
import { attemptGenAi, attemptRows, hasFailed, type SpannedAttempt } from './attempt-attributes.ts';
import { type AttributeValue, attribute, attributeName, repeatedAttribute } from './attributes.ts';
import type { FinishedRequest } from './finished-request.ts';
import { genAiNamesOf, operationOf } from './gen-ai-names.ts';
import { otlp, STATUS_ERROR, spanKinds } from './otlp-fields.ts';
import { bytesField, fixed64Field, hexBytes, nanoseconds, stringField, varintField } from './protobuf.ts';
import { type AttributeRow, asksModel, genAiRows, hasRoute, requestRows } from './request-attributes.ts';

const { span: fields, status: statusFields, scope } = otlp;

type Encode<Facts> = (facts: Facts) => string;

function encoderOf<Facts>(row: AttributeRow<Facts>): Encode<Facts> {
  if ('repeats' in row) {
    const encode = repeatedAttribute(fields.attributes, row.name);
    return (facts) => encode(row.repeats(facts));
  }
  const name = attributeName(row.name);
  return (facts) => attribute(fields.attributes, name, row.read(facts));
}

type Named<Facts> = { fact: (typeof genAiRows)[number]['fact'] } & (
  | { read: (facts: Facts) => AttributeValue }
  | { repeats: (facts: Facts) => string | undefined }
);

const encodersOf = <Facts>(
  rows: readonly Named<Facts>[],
  names: TelemetrySettings['genAiNames'],
): Encode<Facts>[] =>
  rows.flatMap((row) => genAiNamesOf(names, row.fact).map((name) => encoderOf<Facts>({ ...row, name })));

/** The parts that all spans of a trace have. `ids`: trace id and state. */
type Span = {
  ids: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  startedAtMs: number;
  endedAtMs: number;
  attributes: string;
  /** Undefined: the span has no error. */
  error?: string | undefined;
};

/** Encodes a span as a field of ScopeSpans. Its times are on the monotonic clock. */
function encodeSpan({ ids, spanId, parentId, name, kind, startedAtMs, endedAtMs, attributes, error }: Span) {
  const origin = performance.timeOrigin;
  return bytesField(
    scope.items,
    ids +
      bytesField(fields.spanId, hexBytes(spanId)) +
      (parentId === '' ? '' : bytesField(fields.parentSpanId, hexBytes(parentId))) +
      stringField(fields.name, name) +
      varintField(fields.kind, kind) +
      fixed64Field(fields.startedAt, nanoseconds(origin + startedAtMs)) +
      fixed64Field(fields.endedAt, nanoseconds(origin + Math.max(startedAtMs, endedAtMs))) +
      attributes +
      (error === undefined ? '' : bytesField(fields.status, errorStatus(error))),
  );
}

const errorStatus = (message: string): string =>
  (message === '' ? '' : stringField(statusFields.message, message)) +
  varintField(statusFields.code, STATUS_ERROR);

function nameOf(request: FinishedRequest): string {
  const { notes, method, route } = request;
  if (notes.status === undefined) return 'batch item';
  return hasRoute(request) ? `${method} ${route}` : method;
}

const settlementOutcome = repeatedAttribute(fields.attributes, 'tollgate.settlement.outcome');

/** Encodes the spans of finished requests: the request, its waits in the queue, its attempts and its settlement. */
export class SpanEncoder {
  readonly #request: readonly Encode<FinishedRequest>[];
  readonly #genAi: readonly Encode<FinishedRequest>[];
  readonly #attempt: readonly Encode<SpannedAttempt>[];

  constructor(names: TelemetrySettings['genAiNames']) {
    this.#request = requestRows.map(encoderOf);
    this.#genAi = encodersOf(genAiRows, names);
    this.#attempt = [...encodersOf<SpannedAttempt>(attemptGenAi, names), ...attemptRows.map(encoderOf)];
  }

  encode(request: FinishedRequest): string {
    const { trace } = request;
    const ids =
      bytesField(fields.traceId, hexBytes(trace.traceId)) +
      (trace.state === '' ? '' : stringField(fields.traceState, trace.state));
    let text = this.#encodeRequest(request, ids);
    for (const wait of trace.waits) text += this.#encodeTimed(request, ids, wait, 'queue');
    for (let index = 0; index < trace.attempts.length; index++)
      text += this.#encodeAttempt(request, ids, index);
    const { settlement } = trace;
    if (settlement) {
      const { outcome, hasFailed: error } = settlement;
      const more = { attributes: settlementOutcome(outcome), error: error ? '' : undefined };
      text += this.#encodeTimed(request, ids, settlement, 'settlement', more);
    }
    return text;
  }

  #encodeRequest(request: FinishedRequest, ids: string): string {
    const { trace, notes, startedAtMs, endedAtMs } = request;
    let attributes = '';
    for (const encode of this.#request) attributes += encode(request);
    if (asksModel(request)) for (const encode of this.#genAi) attributes += encode(request);
    const { status, errorCode } = notes;
    const isAnswered = status === undefined || status < 400;
    // A client's own mistake is no error of a server's span. A stream that breaks off has a good status.
    const isError = (status ?? 0) >= 500 || (isAnswered && errorCode !== undefined);
    return encodeSpan({
      ...{ ids, startedAtMs, endedAtMs, attributes },
      spanId: trace.spanId,
      parentId: trace.parentId,
      name: nameOf(request),
      kind: status === undefined ? spanKinds.internal : spanKinds.server,
      error: isError ? (errorCode ?? '') : undefined,
    });
  }

  #encodeAttempt(request: FinishedRequest, ids: string, index: number): string {
    const { trace, route, endedAtMs } = request;
    const attempt = trace.attempts[index]!;
    let attributes = '';
    for (const encode of this.#attempt) attributes += encode({ attempt, index });
    return encodeSpan({
      ...{ ids, attributes },
      spanId: attempt.spanId,
      parentId: trace.spanId,
      name: `${operationOf(route) ?? 'call'} ${attempt.model}`,
      kind: spanKinds.client,
      startedAtMs: attempt.startedAtMs,
      endedAtMs: attempt.endedAtMs ?? endedAtMs,
      error: hasFailed(attempt) ? (attempt.reason ?? '') : undefined,
    });
  }

  #encodeTimed(
    { trace }: FinishedRequest,
    ids: string,
    { spanId, startedAtMs, endedAtMs }: TimedSpan,
    name: string,
    more: Partial<Span> = {},
  ): string {
    return encodeSpan({
      ...{ ids, spanId, startedAtMs, endedAtMs, name, attributes: '' },
      parentId: trace.spanId,
      kind: spanKinds.internal,
      ...more,
    });
  }
}
