import type { Exchange } from '../../edge/http/exchange.ts';
import type { RequestRecorder } from '../requests/request-recorder.ts';
import { recordedMembers, requestLine } from './request-line.ts';

/** Hands the records of authenticated requests to the recorder. */
export class RequestKeeper {
  readonly #recorder: Pick<RequestRecorder, 'take'>;
  readonly #now: () => number;

  constructor(recorder: Pick<RequestRecorder, 'take'>, now: () => number) {
    this.#recorder = recorder;
    this.#now = now;
  }

  wants({ notes: { accountId }, snapshot }: Exchange): boolean {
    return accountId !== undefined && snapshot.config.retention.requests_s > 0;
  }

  /** `line`: the members of the request's log line. */
  keep(exchange: Exchange, durationMs: number, line: string, isItem = false): void {
    const { accountId } = exchange.notes;
    if (accountId === undefined || !this.wants(exchange)) return;
    const record = `{"ended_at":${Math.round(this.#now())},${line}${recordedMembers(exchange)}}`;
    this.#recorder.take({ accountId, requestId: exchange.requestId, line: record, durationMs, isItem });
  }

  /** Keeps the record of a batch item, which has no log line. */
  keepItem(exchange: Exchange): void {
    if (!this.wants(exchange)) return;
    const durationMs = performance.now() - exchange.startedAtMs;
    this.keep(exchange, durationMs, requestLine(exchange, durationMs), true);
  }
}
