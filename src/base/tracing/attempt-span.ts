/** The headers that continue a trace at a provider. An empty `tracestate` is not sent. */
export type TraceHeaders = { readonly traceparent: string; readonly tracestate: string };

/** The facts of a provider that a span has. */
export type CalledProvider = { readonly id: string; readonly baseUrl: string };

/** One call to a provider. */
export class AttemptSpan implements TraceHeaders {
  readonly spanId: string;
  readonly traceparent: string;
  readonly tracestate: string;
  readonly provider: CalledProvider;
  /** The provider's name for the model. */
  readonly model: string;
  readonly startedAtMs = performance.now();
  firstByteAtMs: number | undefined;
  endedAtMs: number | undefined;
  outcome = '';
  /** The HTTP status of the answer, if one arrived. */
  status: number | undefined;
  errorCode: string | undefined;
  reason: string | undefined;

  constructor(headers: TraceHeaders & { spanId: string }, provider: CalledProvider, model: string) {
    this.spanId = headers.spanId;
    this.traceparent = headers.traceparent;
    this.tracestate = headers.tracestate;
    this.provider = provider;
    this.model = model;
  }

  firstByte(): void {
    this.firstByteAtMs = performance.now();
  }

  end(outcome: string): void {
    this.outcome = outcome;
    this.endedAtMs = performance.now();
  }

  /** `reason` quotes nothing from the provider. */
  failed(errorCode: string, reason: string, status: number | undefined): void {
    this.errorCode = errorCode;
    this.reason = reason;
    this.status = status;
  }
}
