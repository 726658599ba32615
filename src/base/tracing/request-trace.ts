import { AttemptSpan, type CalledProvider } from './attempt-span.ts';
import { finishReasonsIn } from './finish-reasons-in.ts';
import { randomHex } from './random-hex.ts';
import type { EndUser } from './read-end-user.ts';
import { formatTraceparent, type TraceContext } from './trace-context.ts';

/** A span with nothing but its time, on the monotonic clock. */
export type TimedSpan = { spanId: string; startedAtMs: number; endedAtMs: number };

export type SettlementSpan = TimedSpan & { outcome: string; hasFailed: boolean };

/** The calls and waits of one request that are recorded. A request for many answers makes many calls. */
const MAX_SPANS = 32;
const MAX_REASONS = 128;

const SPAN_BYTES = 8;

/** Decides whether a trace that begins here is recorded. */
export type Sampler = (traceId: string, caller: TraceContext | undefined) => boolean;

/**
 * The trace of one request, from its arrival to the end of its answer. A request that is not sampled only
 * passes its ids on.
 */
export class RequestTrace {
  readonly traceId: string;
  readonly spanId = randomHex(SPAN_BYTES);
  /** The caller's span, or an empty text. */
  readonly parentId: string;
  readonly state: string;
  readonly isSampled: boolean;
  readonly attempts: AttemptSpan[] = [];
  readonly waits: TimedSpan[] = [];
  settlement: SettlementSpan | undefined;
  endUser: EndUser | undefined;
  answerId: string | undefined;
  /** The reasons of the answers' ends, in the words of the client's dialect. */
  finishReasons: string[] = [];
  #dropped = 0;

  constructor(context: TraceContext | undefined, sampler: Sampler) {
    this.traceId = context?.traceId ?? randomHex(16);
    this.parentId = context?.spanId ?? '';
    this.state = context?.state ?? '';
    this.isSampled = sampler(this.traceId, context);
  }

  /** The spans that were not recorded. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Begins a call. The provider gets the ids of its span, even if the trace is not recorded. */
  attempt(provider: CalledProvider, model: string): AttemptSpan {
    const spanId = this.isSampled ? randomHex(SPAN_BYTES) : this.spanId;
    const traceparent = formatTraceparent(this.traceId, spanId, this.isSampled);
    const span = new AttemptSpan({ spanId, traceparent, tracestate: this.state }, provider, model);
    if (this.isSampled) this.#keep(this.attempts, span);
    return span;
  }

  /** Reads a text for the client for the reasons why its answers ended. */
  read(text: string): void {
    if (this.finishReasons.length < MAX_REASONS) this.finishReasons.push(...finishReasonsIn(text));
  }

  /** Records a wait in the queue that has just ended. */
  waited(ms: number): void {
    if (this.isSampled) this.#keep(this.waits, spanOver(ms));
  }

  /** Records a settlement that began at this time and has just ended. */
  settled(startedAtMs: number, outcome: string, posting: 'written' | 'failed'): void {
    if (!this.isSampled) return;
    const spanId = randomHex(SPAN_BYTES);
    const hasFailed = posting === 'failed';
    this.settlement = { spanId, startedAtMs, endedAtMs: performance.now(), outcome, hasFailed };
  }

  #keep<T>(list: T[], span: T): void {
    if (list.length < MAX_SPANS) list.push(span);
    else this.#dropped++;
  }
}

function spanOver(ms: number): TimedSpan {
  const endedAtMs = performance.now();
  return { spanId: randomHex(SPAN_BYTES), startedAtMs: endedAtMs - ms, endedAtMs };
}
