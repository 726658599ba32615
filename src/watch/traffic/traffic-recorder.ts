import { DelayedWrite } from '../../base/lib/delayed-write.ts';
import type { CountedRequestStore } from './counted-request-store.ts';
import type { MilestoneStore } from './milestone-store.ts';
import { type CountedExchange, type FoldParts, type TrafficCell, TrafficFold } from './traffic-fold.ts';
import { TrafficRows } from './traffic-rows.ts';
import type { TrafficRow, TrafficStore } from './traffic-store.ts';

/** The time for which figures wait, so that many requests share a row. */
const FLUSH_MS = 1_500;
/** The most rows of one write. A larger write would delay the settlements that share its commit. */
const ROWS_AT_A_TIME = 500;
/** The time for which counted requests are noted. Nearly every request ends sooner after its charge. */
const NOTED_MS = 600_000;
const FORGET_EVERY_MS = 60_000;

export type TrafficRecorderParts = Omit<FoldParts, 'nodeId'> & {
  stores: {
    traffic: Pick<TrafficStore, 'saveTraffic'>;
    countedRequests: Pick<CountedRequestStore, 'forgetCounted'>;
    milestones: Pick<MilestoneStore, 'noteMilestone'>;
  };
  onFailure(error: unknown): void;
};

/** Counts ended requests in memory, and writes the sums every 1.5 s. No request waits for the recorder. */
export class TrafficRecorder {
  /** Returns the id of this process among the nodes. It is set before the first request. */
  nodeId: () => string = () => '';
  readonly #parts: TrafficRecorderParts;
  readonly #fold: TrafficFold;
  readonly #rows: TrafficRows;
  /** The ids of counted requests that the next write notes, by node. */
  #countedIds = new Map<string, string[]>();
  #forgottenAt = 0;
  readonly #writes = new DelayedWrite(() => this.#write(), FLUSH_MS);
  /** The write of the milestone, which the first answer of a provider starts. */
  #answerNote: Promise<void> | undefined;

  constructor(parts: TrafficRecorderParts) {
    this.#parts = parts;
    this.#fold = new TrafficFold({ ...parts, nodeId: () => this.nodeId() });
    this.#rows = new TrafficRows(parts.now());
  }

  /** The number of requests that were not counted. */
  get lost(): number {
    return this.#rows.lost;
  }

  /** Counts a request that has ended. */
  add(exchange: CountedExchange, durationMs: number): void {
    this.#fold.add(exchange, durationMs);
    if (this.#answerNote === undefined && isAnswer(exchange)) this.#answerNote = this.#noteAnswer();
    this.#writes.schedule();
  }

  /** Counts only a request's calls to providers. */
  addCalls(exchange: CountedExchange): void {
    this.#fold.addCalls(exchange);
    this.#writes.schedule();
  }

  /** Notes the start of this process, so that a crash before its first write is noticed. */
  begin(): Promise<void> {
    return this.#parts.stores.traffic
      .saveTraffic([], [{ node: this.nodeId(), at: this.#parts.now(), requestIds: [] }])
      .catch(this.#parts.onFailure);
  }

  /** Writes what was counted, and notes that nothing is missing. */
  async end(): Promise<void> {
    await this.flush();
    await this.#answerNote;
    if (this.#rows.waiting === 0)
      await this.#parts.stores.countedRequests.forgetCounted(this.nodeId()).catch(this.#parts.onFailure);
  }

  /** Writes the counted sums. Sums that a store does not take are written with the next flush. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  async #noteAnswer(): Promise<void> {
    try {
      await this.#parts.stores.milestones.noteMilestone('answer', this.#parts.now());
    } catch (error) {
      this.#answerNote = undefined;
      this.#parts.onFailure(error);
    }
  }

  async #write(): Promise<void> {
    this.#take(this.#fold.take());
    for (;;) {
      const rows = this.#rows.take(ROWS_AT_A_TIME);
      if (rows.length === 0) break;
      if (!(await this.#save(rows))) return;
    }
    const now = this.#parts.now();
    this.#rows.forget(now);
    if (now - this.#forgottenAt < FORGET_EVERY_MS) return;
    this.#forgottenAt = now;
    const { stores, onFailure } = this.#parts;
    await stores.countedRequests.forgetCounted(this.nodeId(), now - NOTED_MS).catch(onFailure);
  }

  /**
   * Writes rows, and with the last ones the notes of the requests that they count. Returns false if the store
   * does not take them. They are then written with the next flush.
   */
  async #save(rows: TrafficRow[]): Promise<boolean> {
    const { stores, now, onFailure } = this.#parts;
    const counted = this.#rows.waiting === 0 ? this.#countedIds : new Map<string, string[]>();
    if (counted === this.#countedIds) this.#countedIds = new Map();
    const at = now();
    const notes = Array.from(counted, ([node, requestIds]) => ({ node, at, requestIds }));
    try {
      await stores.traffic.saveTraffic(rows, notes);
      return true;
    } catch (error) {
      this.#rows.keep(rows);
      for (const [node, ids] of counted) this.#note(node, ids);
      onFailure(error);
      this.#writes.schedule();
      return false;
    }
  }

  #take(cells: readonly TrafficCell[]): void {
    this.#rows.add(cells);
    for (const { place, requestIds } of cells) this.#note(place.node, requestIds);
  }

  #note(node: string, requestIds: readonly string[]): void {
    const ids = this.#countedIds.get(node);
    if (ids) ids.push(...requestIds);
    else this.#countedIds.set(node, [...requestIds]);
  }
}

/** Reports whether a provider has answered a request. The simulator is not a provider. */
const isAnswer = ({ notes }: CountedExchange): boolean =>
  notes.provider !== undefined && !notes.simulated && notes.errorCode === undefined && notes.status === 200;
