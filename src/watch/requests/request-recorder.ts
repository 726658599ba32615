import type { RequestGroup, RequestStore } from './request-store.ts';

/** The time for which records wait, so that many share a row. */
const FLUSH_MS = 1_000;
/** The most records of one write. A larger write would delay the settlements that share its commit. */
const RECORDS_AT_A_TIME = 256;
/** The most records that wait while the store is slow. Further ones are dropped. */
export const MAX_WAITING = 4_096;
/** The most characters that wait. */
const MAX_LENGTH = 8 * 1024 * 1024;
/** The most records that are kept of an account. */
const MAX_KEPT_EACH = 100_000;

/**
 * Requests that ended this long after their id was made are grouped apart, so that the ids of a group are
 * close together.
 */
const LATE_MS = 60_000;

/** A record that waits for its write. */
type WaitingRecord = { accountId: string; requestId: string; line: string; isLate: boolean };
/** The record of an ended request. `line` is its text. */
type EndedRequest = {
  accountId: string;
  requestId: string;
  line: string;
  durationMs: number;
  isItem: boolean;
};

export type RecorderParts = {
  store: Pick<RequestStore, 'addRequests'>;
  now(): number;
  /** Returns true while the process is overloaded. Records are then dropped. */
  isOverloaded(): boolean;
  onFailure(error: unknown): void;
};

/**
 * Collects the records of requests and writes them in groups. No request waits for the recorder. An
 * overloaded process drops records.
 */
export class RequestRecorder {
  /** The number of records that were not written. */
  dropped = 0;
  readonly #parts: RecorderParts;
  #waiting: WaitingRecord[] = [];
  #length = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  take({ accountId, requestId, line, durationMs, isItem }: EndedRequest): void {
    if (this.#waiting.length >= MAX_WAITING || this.#length >= MAX_LENGTH || this.#parts.isOverloaded()) {
      this.dropped++;
      return;
    }
    this.#waiting.push({ accountId, requestId, line, isLate: isItem || durationMs > LATE_MS });
    this.#length += line.length;
    this.#writeWhenDue();
  }

  /** Writes the records that wait. */
  async flush(): Promise<void> {
    do {
      this.#write();
      await this.#writing;
    } while (this.#waiting.length > 0);
  }

  /** Writes a full group at once, and fewer records after a while. */
  #writeWhenDue(): void {
    if (this.#waiting.length >= RECORDS_AT_A_TIME) this.#write();
    else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#write(), FLUSH_MS);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting.length === 0) return;
    const records = this.#waiting.splice(0, RECORDS_AT_A_TIME);
    this.#length = this.#waiting.reduce((sum, { line }) => sum + line.length, 0);
    this.#writing = this.#parts.store
      .addRequests(groupsOf(records, this.#parts.now()), MAX_KEPT_EACH)
      .catch((error: unknown) => {
        this.dropped += records.length;
        this.#parts.onFailure(error);
      })
      .finally(() => {
        this.#writing = undefined;
        this.#writeWhenDue();
      });
  }
}

function groupsOf(records: readonly WaitingRecord[], endedAt: number): RequestGroup[] {
  const byGroup = Map.groupBy(records, ({ accountId, isLate }) => `${accountId} ${isLate}`);
  return Array.from(byGroup.values(), (group) => {
    const ids = group.map(({ requestId }) => requestId).sort();
    return {
      accountId: group[0]!.accountId,
      endedAt,
      firstId: ids[0]!,
      lastId: ids.at(-1)!,
      count: group.length,
      lines: group.map(({ line }) => line).join('\n'),
    };
  });
}
