import { HOUR_MS } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';
import type { FaultRecorder } from '../faults/fault-recorder.ts';
import type { RefusalRecorder } from '../refusals/refusal-recorder.ts';
import type { RequestRecorder } from '../requests/request-recorder.ts';
import type { RequestTally } from '../requests/request-tally.ts';
import { sourceOfRequest } from '../requests/source-of-request.ts';
import { isCounted } from '../traffic/is-counted.ts';
import { listedModelOf } from '../traffic/listed-model-of.ts';
import type { TrafficRecorder } from '../traffic/traffic-recorder.ts';
import { endUserOf, recordedMembers } from './recorded-members.ts';
import { requestLine } from './request-line.ts';

type RequestKeeperParts = {
  recorder: Pick<RequestRecorder, 'take'>;
  tally: Pick<RequestTally, 'add'>;
  uses: Pick<KeyUses, 'note'>;
  traffic: Pick<TrafficRecorder, 'add' | 'addCalls'>;
  refusals: Pick<RefusalRecorder, 'add'>;
  faults: Pick<FaultRecorder, 'answered'>;
  now(): number;
};

/** The figures of a request without a charge. Its usage does not count. */
const UNCHARGED = new ExchangeNotes();

/**
 * Hands authenticated requests to the recorder, all requests to the sums of traffic, and requests with an end
 * user or an error to further sums. It notes when keys were used.
 */
export class RequestKeeper {
  readonly #parts: RequestKeeperParts;

  constructor(parts: RequestKeeperParts) {
    this.#parts = parts;
  }

  /** Notes the use of the request's key. */
  sawKey({ notes: { keyId } }: Exchange): void {
    if (keyId !== undefined) this.#parts.uses.note(keyId, this.#parts.now());
  }

  /** Reports whether the record of a request is kept. */
  wants({ notes: { accountId }, snapshot }: Exchange): boolean {
    return accountId !== undefined && snapshot.config.retention.requests_s > 0;
  }

  /** Keeps the record of a request. `line` has the members of the request's log line. */
  keep(exchange: Exchange, durationMs: number, line: string, kind: 'request' | 'item' = 'request'): void {
    const { accountId } = exchange.notes;
    if (accountId === undefined || !this.wants(exchange)) return;
    const source = sourceOfRequest(exchange);
    const sourceMember = source === 'api' ? '' : `"source":"${source}",`;
    const record = `{"ended_at":${Math.round(this.#parts.now())},${sourceMember}${line}${recordedMembers(exchange)}}`;
    const { requestId } = exchange;
    const isItem = kind === 'item';
    this.#parts.recorder.take({ accountId, requestId, line: record, durationMs, isItem });
  }

  /**
   * Adds a request to the sums of traffic and refusals. It counts for its hour too if it named an end user or
   * ended with an error.
   */
  count(exchange: Exchange, durationMs: number): void {
    const { notes, request } = exchange;
    const { errorCode: code = '' } = notes;
    this.#parts.traffic.add(exchange, durationMs);
    if (code !== '' && isCounted(exchange)) this.#parts.refusals.add(notes);
    if (code === '' && notes.calls !== undefined && notes.calls.length > 1)
      this.#parts.faults.answered(notes.calls);
    const { accountId } = notes;
    if (accountId === undefined) return;
    const user = endUserOf(notes, request) ?? '';
    const hasCharge = notes.costMicrocredits !== undefined;
    if (code === '' && (user === '' || !hasCharge)) return;
    const { inputTokens = 0, outputTokens = 0, usage, costMicrocredits = 0 } = hasCharge ? notes : UNCHARGED;
    this.#parts.tally.add({
      accountId,
      key: notes.keyId ?? '',
      user,
      code,
      hour: Math.floor((this.#parts.now() - durationMs) / HOUR_MS),
      model: hasCharge && notes.modelId !== undefined ? notes.modelId : listedModelOf(exchange),
      requests: Number(hasCharge),
      errors: Number(code !== ''),
      inputTokens,
      cachedInputTokens: usage?.input.cacheRead ?? 0,
      outputTokens,
      microcredits: costMicrocredits,
    });
  }

  /** Counts an attempt of a batch item that is retried. Only its calls to providers count. */
  countRetried(exchange: Exchange): void {
    this.sawKey(exchange);
    this.#parts.traffic.addCalls(exchange);
  }

  /** Keeps the record of a batch item, which has no log line. */
  keepItem(exchange: Exchange): void {
    this.sawKey(exchange);
    const durationMs = performance.now() - exchange.startedAtMs;
    this.count(exchange, durationMs);
    if (!this.wants(exchange)) return;
    this.keep(exchange, durationMs, requestLine(exchange, durationMs), 'item');
  }
}
