import type { Exchange } from '../../edge/http/exchange.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';
import type { RequestRecorder } from '../requests/request-recorder.ts';
import { recordedMembers, requestLine } from './request-line.ts';

type Parts = {
  recorder: Pick<RequestRecorder, 'take'>;
  uses: Pick<KeyUses, 'saw'>;
  now(): number;
};

/** Hands the records of authenticated requests to the recorder, and notes when their keys were used. */
export class RequestKeeper {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Notes the use of the request's key. */
  sawKey({ notes: { keyId } }: Exchange): void {
    if (keyId !== undefined) this.#parts.uses.saw(keyId, this.#parts.now());
  }

  wants({ notes: { accountId }, snapshot }: Exchange): boolean {
    return accountId !== undefined && snapshot.config.retention.requests_s > 0;
  }

  /** `line`: the members of the request's log line. */
  keep(exchange: Exchange, durationMs: number, line: string, isItem = false): void {
    const { accountId } = exchange.notes;
    if (accountId === undefined || !this.wants(exchange)) return;
    const record = `{"ended_at":${Math.round(this.#parts.now())},${line}${recordedMembers(exchange)}}`;
    this.#parts.recorder.take({ accountId, requestId: exchange.requestId, line: record, durationMs, isItem });
  }

  /** Keeps the record of a batch item, which has no log line. */
  keepItem(exchange: Exchange): void {
    this.sawKey(exchange);
    if (!this.wants(exchange)) return;
    const durationMs = performance.now() - exchange.startedAtMs;
    this.keep(exchange, durationMs, requestLine(exchange, durationMs), true);
  }
}
