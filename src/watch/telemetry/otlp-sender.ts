import { counted } from '../../base/lib/counted.ts';
import { sendPlain } from '../../base/lib/send-plain.ts';
import type { OtlpTarget } from '../../settings/config/telemetry-settings.ts';
import { readPartialSuccess } from './read-partial-success.ts';
import type { TelemetryMetrics, TelemetrySignal } from './telemetry-metrics.ts';

export type Report = (event: string, fields: Record<string, unknown>) => void;

export type OtlpSenderParts = {
  signal: TelemetrySignal;
  target: OtlpTarget;
  metrics: Pick<TelemetryMetrics, 'exported' | 'dropped'>;
  /** Logs the first failure of a row, and the recovery. */
  report: Report;
  /** The pauses between the tries of one export. */
  pausesMs?: readonly number[];
  random?(): number;
};

/** A fault of the receiver that may pass. Any other status means that a repetition would fail as well. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
const MAX_PAUSE_MS = 30_000;
/** The longest time that a stopping server waits for a receiver. */
export const LAST_EXPORT_MS = 3_000;
const PROTOBUF = 'application/x-protobuf';
const MAX_ANSWER = 64 * 1024;

/** `part`: the receiver has refused a part of the export. */
type Outcome = 'sent' | 'part' | { problem: string; isFinal: boolean; retryAfterMs?: number };

/**
 * Sends the exports of one signal, one at a time. A failure that may pass is repeated with growing pauses.
 */
export class OtlpSender {
  readonly #parts: OtlpSenderParts;
  readonly #closing = new AbortController();
  #isFailing = false;
  #wake: (() => void) | undefined;

  constructor(parts: OtlpSenderParts) {
    this.#parts = parts;
  }

  /** Sends an export that has this many items, or drops it in the end. Both are counted. */
  async send(body: Uint8Array<ArrayBuffer>, items: number, type = PROTOBUF): Promise<void> {
    const { signal, metrics, pausesMs = PAUSES_MS, random = Math.random } = this.#parts;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#try(body, type);
      if (outcome === 'part') return metrics.exported(signal, items);
      if (outcome === 'sent') return this.#noteSuccess(items);
      this.#noteFailure(outcome.problem);
      const pauseMs = pausesMs[attempt];
      if (outcome.isFinal || pauseMs === undefined || this.#closing.signal.aborted)
        return metrics.dropped(signal, outcome.isFinal ? 'refused' : 'unreachable', items);
      await this.#pause(outcome.retryAfterMs ?? pauseMs * (0.75 + random() / 2));
    }
  }

  /** Ends the pauses. Each export gets only one more try, until the time is over. */
  close(): void {
    this.#closing.abort();
    this.#wake?.();
  }

  async #try(body: Uint8Array<ArrayBuffer>, type: string): Promise<Outcome> {
    const { url, headers, timeoutMs } = this.#parts.target;
    try {
      const answer = await sendPlain({
        url,
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { status } = answer;
      const content = new Uint8Array(await answer.arrayBuffer());
      if (status >= 200 && status < 300) return this.#readPart(content);
      const isFinal = !RETRIED.has(status);
      return { problem: `The receiver answered with status ${status}.`, isFinal, ...retryAfter(answer) };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error), isFinal: false };
    }
  }

  /** Counts the spans or points that the receiver has refused. */
  #readPart(content: Uint8Array): 'sent' | 'part' {
    if (content.length === 0 || content.length > MAX_ANSWER) return 'sent';
    const { rejected, message } = readPartialSuccess(content);
    if (rejected === 0) return 'sent';
    this.#parts.metrics.dropped(this.#parts.signal, 'refused', rejected);
    this.#noteFailure(`The receiver refused ${counted(rejected, 'item')}: ${message}`);
    return 'part';
  }

  #noteSuccess(items: number): void {
    const { signal, metrics, report } = this.#parts;
    metrics.exported(signal, items);
    if (this.#isFailing) report('telemetry-export-recovered', { signal });
    this.#isFailing = false;
  }

  #noteFailure(problem: string): void {
    const { signal, target, report } = this.#parts;
    // The path can have a secret.
    const url = new URL(target.url).origin;
    if (!this.#isFailing) report('telemetry-export-failed', { signal, url, problem });
    this.#isFailing = true;
  }

  #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    this.#wake = resolve;
    return promise.finally(() => clearTimeout(timer));
  }
}

function retryAfter({ headers }: Response): { retryAfterMs?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? { retryAfterMs: Math.min(seconds * 1_000, MAX_PAUSE_MS) } : {};
}
