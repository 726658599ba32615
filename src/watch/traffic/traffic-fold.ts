import { catalogue } from '../../base/errors/catalogue.ts';
import { lookUp } from '../../base/lib/records.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import { statusClassOf } from '../../edge/http/status-class-of.ts';
import { sourceOfRequest } from '../requests/source-of-request.ts';
import { isCounted } from './is-counted.ts';
import { addLatency, type LatencyBuckets } from './latency-buckets.ts';
import { listedModelOf } from './listed-model-of.ts';
import { noCounts, type TrafficCounts, type TrafficPlace } from './traffic-figures.ts';

/** The figures of one place that are not in the rows of the store yet. Its minute decides the rows. */
export type TrafficCell = {
  minute: number;
  place: TrafficPlace;
  counts: TrafficCounts;
  latency: LatencyBuckets;
  firstToken: LatencyBuckets;
  /** The charged requests. */
  requestIds: string[];
};

/** The part of an ended request that the sums need. */
export type CountedExchange = Pick<
  Exchange,
  'notes' | 'snapshot' | 'path' | 'route' | 'detached' | 'requestId' | 'accountId'
>;

export type FoldParts = {
  now(): number;
  /** Returns the id of this process among the nodes. */
  nodeId(): string;
  /** Returns the provider's cost of an answer, in micro-credits. */
  spendOf(exchange: Pick<Exchange, 'notes' | 'snapshot'>): number;
};

/**
 * Sums ended requests by place. A request costs the look-up of one cell, since consecutive requests mostly
 * share one.
 */
export class TrafficFold {
  readonly #parts: FoldParts;
  #cells = new Map<string, TrafficCell>();
  #last: TrafficCell | undefined;
  #lastButOne: TrafficCell | undefined;

  constructor(parts: FoldParts) {
    this.#parts = parts;
  }

  /** Returns the sums since the previous call, and forgets them. */
  take(): TrafficCell[] {
    const cells = [...this.#cells.values()];
    this.#cells = new Map();
    this.#last = undefined;
    this.#lastButOne = undefined;
    return cells;
  }

  get isEmpty(): boolean {
    return this.#cells.size === 0;
  }

  /** Counts a request. */
  add(exchange: CountedExchange, durationMs: number): void {
    const { notes } = exchange;
    const { status = 0, firstTokenMs } = notes;
    if (!isCounted(exchange)) return;
    const cell = this.#cellOf(exchange, answererOf(notes));
    const { counts } = cell;
    counts.requests++;
    if (isError(notes, status)) counts.errors++;
    else if (status >= 400) counts.refused++;
    addLatency(cell.latency, durationMs);
    if (firstTokenMs !== undefined) addLatency(cell.firstToken, firstTokenMs);
    if (notes.costMicrocredits !== undefined) {
      cell.requestIds.push(exchange.requestId);
      this.#charge(counts, exchange);
    }
    if (notes.calls !== undefined) this.#countCalls(exchange, cell);
  }

  /** Counts only a request's calls to providers. */
  addCalls(exchange: CountedExchange): void {
    if (!isCounted(exchange) || exchange.notes.calls === undefined) return;
    this.#countCalls(exchange, this.#cellOf(exchange, answererOf(exchange.notes)));
  }

  #charge(counts: TrafficCounts, exchange: CountedExchange): void {
    const { inputTokens = 0, outputTokens = 0, usage, costMicrocredits = 0 } = exchange.notes;
    counts.input_tokens += inputTokens;
    counts.cached_input_tokens += Math.min(usage?.input.cacheRead ?? 0, inputTokens);
    counts.output_tokens += outputTokens;
    counts.revenue += exchange.notes.chargedMicrocredits ?? costMicrocredits;
    counts.spend += this.#parts.spendOf(exchange);
  }

  /** Calls count for the provider that was called, whichever provider answered in the end. */
  #countCalls(exchange: CountedExchange, answering: TrafficCell): void {
    for (const { provider, error } of exchange.notes.calls ?? []) {
      const cell = provider === answering.place.provider ? answering : this.#cellOf(exchange, provider);
      cell.counts.attempts++;
      if (error !== null) cell.counts.failed_attempts++;
    }
  }

  #cellOf(exchange: CountedExchange, provider: string): TrafficCell {
    const { notes } = exchange;
    const minute = Math.floor(this.#parts.now() / MINUTE_MS);
    const model = notes.servedModel ?? listedModelOf(exchange);
    const account = notes.accountId ?? '';
    const key = notes.keyId ?? '';
    const status = statusClassOf(notes.status ?? 0);
    const source = sourceOfRequest(exchange);
    const fits = (cell: TrafficCell | undefined): cell is TrafficCell =>
      cell !== undefined &&
      cell.minute === minute &&
      cell.place.key === key &&
      cell.place.account === account &&
      cell.place.model === model &&
      cell.place.provider === provider &&
      cell.place.status === status &&
      cell.place.source === source;
    if (fits(this.#last)) return this.#last;
    if (fits(this.#lastButOne)) return this.#lastButOne;
    const node = this.#parts.nodeId();
    const name = `${minute} ${account} ${key} ${status} ${source} ${node} ${provider} ${model}`;
    let cell = this.#cells.get(name);
    if (cell === undefined) {
      const place = { provider, model, account, key, status, node, source };
      cell = { minute, place, counts: noCounts(), latency: new Map(), firstToken: new Map(), requestIds: [] };
      this.#cells.set(name, cell);
    }
    this.#lastButOne = this.#last;
    this.#last = cell;
    return cell;
  }
}

/** Returns the provider that has answered. It is empty if none has. */
const answererOf = ({ status = 0, provider = '' }: ExchangeNotes): string =>
  status >= 200 && status < 400 ? provider : '';

/** Reports whether a request failed: its answer is 5xx, or its stream broke off after the head. */
function isError({ errorCode }: ExchangeNotes, status: number): boolean {
  if (status >= 500) return true;
  if (errorCode === undefined || status >= 400) return false;
  return (lookUp(catalogue, errorCode)?.status ?? 500) >= 500;
}
