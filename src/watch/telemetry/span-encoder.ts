import type { RequestTrace, TimedSpan } from '../../base/tracing/request-trace.ts';
import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';
import { type AttemptFacts, attemptGenAi, attemptRows, hasFailed } from './attempt-attributes.ts';
import { AttributeTable } from './attribute-table.ts';
import { attributeName, writeAttribute } from './attributes.ts';
import type { FinishedRequest } from './finished-request.ts';
import { genAiNamesOf } from './gen-ai-names.ts';
import { operationOf } from './gen-ai-values.ts';
import { otlp, STATUS_ERROR, spanKinds } from './otlp-fields.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';
import {
  type AttributeRow,
  asksModel,
  type GenAiRow,
  genAiRows,
  hasRoute,
  requestRows,
} from './request-attributes.ts';

const { span: fields, status: statusFields, scope } = otlp;

const namedRows = <Facts>(
  rows: readonly GenAiRow<Facts>[],
  names: TelemetrySettings['genAiNames'],
): AttributeRow<Facts>[] =>
  rows.flatMap((row) => genAiNamesOf(names, row.fact).map((name) => ({ ...row, name })));

/** The part of a span that is not made of attributes. Its times are on the monotonic clock. */
type SpanHead = {
  trace: RequestTrace;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  startedAtMs: number;
  endedAtMs: number;
  /** The message of the error, if there is one. */
  error: string | undefined;
};

/** Begins a span as a field of ScopeSpans. Its attributes follow, and `close`. */
function openSpan(writer: ProtobufWriter, head: SpanHead): number {
  const { trace, spanId, parentId, name, kind, startedAtMs, endedAtMs, error } = head;
  const origin = performance.timeOrigin;
  const start = writer.open(scope.items);
  writer.hexField(fields.traceId, trace.traceId);
  writer.hexField(fields.spanId, spanId);
  if (trace.state !== '') writer.stringField(fields.traceState, trace.state);
  if (parentId !== '') writer.hexField(fields.parentSpanId, parentId);
  writer.stringField(fields.name, name);
  writer.varintField(fields.kind, kind);
  writer.timeField(fields.startedAt, origin + startedAtMs);
  writer.timeField(fields.endedAt, origin + Math.max(startedAtMs, endedAtMs));
  if (error !== undefined) writeError(writer, error);
  return start;
}

function writeError(writer: ProtobufWriter, message: string): void {
  const start = writer.open(fields.status);
  if (message !== '') writer.stringField(statusFields.message, message);
  writer.varintField(statusFields.code, STATUS_ERROR);
  writer.close(start);
}

const SETTLEMENT_OUTCOME = attributeName('tollgate.settlement.outcome');

/**
 * Writes the spans of finished requests: the request, its waits in the queue, its attempts and its
 * settlement.
 */
export class SpanEncoder {
  readonly #plain = new AttributeTable(requestRows);
  readonly #asking: AttributeTable<FinishedRequest>;
  readonly #attempt: AttributeTable<AttemptFacts>;

  constructor(names: TelemetrySettings['genAiNames']) {
    this.#asking = new AttributeTable([...requestRows, ...namedRows(genAiRows, names)]);
    this.#attempt = new AttributeTable([...namedRows(attemptGenAi, names), ...attemptRows]);
  }

  write(writer: ProtobufWriter, request: FinishedRequest): void {
    const { trace } = request;
    this.#writeRequest(writer, request);
    for (const wait of trace.waits) writer.close(openTimed(writer, trace, wait, { name: 'queue' }));
    for (let index = 0; index < trace.attempts.length; index++) this.#writeAttempt(writer, request, index);
    const { settlement } = trace;
    if (!settlement) return;
    const error = settlement.hasFailed ? '' : undefined;
    const start = openTimed(writer, trace, settlement, { name: 'settlement', error });
    writeAttribute(writer, fields.attributes, SETTLEMENT_OUTCOME, settlement.outcome);
    writer.close(start);
  }

  #writeRequest(writer: ProtobufWriter, request: FinishedRequest): void {
    const { trace, detached, startedAtMs, endedAtMs } = request;
    const start = openSpan(writer, {
      trace,
      startedAtMs,
      endedAtMs,
      spanId: trace.spanId,
      parentId: trace.parentId,
      name: nameOf(request),
      kind: detached ? spanKinds.internal : spanKinds.server,
      error: errorOf(request),
    });
    const attributes = asksModel(request) ? this.#asking : this.#plain;
    attributes.write(writer, request);
    writer.close(start);
  }

  #writeAttempt(writer: ProtobufWriter, { trace, route, endedAtMs }: FinishedRequest, index: number): void {
    const attempt = trace.attempts[index]!;
    const start = openSpan(writer, {
      trace,
      spanId: attempt.spanId,
      parentId: trace.spanId,
      name: `${operationOf(route) ?? 'call'} ${attempt.model}`,
      kind: spanKinds.client,
      startedAtMs: attempt.startedAtMs,
      endedAtMs: attempt.endedAtMs ?? endedAtMs,
      error: hasFailed(attempt) ? (attempt.reason ?? '') : undefined,
    });
    this.#attempt.write(writer, { attempt, index, route });
    writer.close(start);
  }
}

/**
 * Returns the error of a request's span. A client's own mistake is no error of a server's span. A stream that
 * breaks off has a good status and an error.
 */
function errorOf({ notes: { status, errorCode }, detached }: FinishedRequest): string | undefined {
  const isAnswered = detached || status === undefined || status < 400;
  const isError = (status ?? 0) >= 500 || (isAnswered && errorCode !== undefined);
  return isError ? (errorCode ?? '') : undefined;
}

function nameOf(request: FinishedRequest): string {
  const { detached, method, route } = request;
  if (detached) return detached;
  return hasRoute(request) ? `${method} ${route}` : method;
}

const openTimed = (
  writer: ProtobufWriter,
  trace: RequestTrace,
  { spanId, startedAtMs, endedAtMs }: TimedSpan,
  { name, error }: { name: string; error?: string | undefined },
): number =>
  openSpan(writer, {
    trace,
    spanId,
    startedAtMs,
    endedAtMs,
    name,
    error,
    parentId: trace.spanId,
    kind: spanKinds.internal,
  });
