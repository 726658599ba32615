import type { AttemptRecord } from '../../edge/http/attempt-record.ts';
import { causeOfFailure } from '../../upstream/calling/failure-cause.ts';
import type { EndedCall } from '../../upstream/calling/fault-watch.ts';
import {
  areFrequent,
  type FaultRow,
  type JoinedFault,
  latestFailures,
  WELL_FOR_MS,
  WITHIN_MS,
} from './fault.ts';
import { isFaultOver, newFaultRow } from './fault-row.ts';
import type { FaultStore } from './fault-store.ts';
import { joinFaults } from './join-faults.ts';

const FLUSH_MS = 1_000;
/**
 * The interval in which a process reads the faults that others have found. Its own successes can end them.
 */
const LOOK_EVERY_MS = 5_000;
/** Successes after the first are written this often, while the fault lasts. */
const SEEN_EVERY_MS = 30_000;
/** The most rows of a list. */
const MAX_LISTED = 2_000;

export type FaultRecorderParts = {
  store: FaultStore;
  now(): number;
  /**
   * Reports a fault that no process has seen before this one. Processes that see the fault at the same moment
   * all report it.
   */
  began(fault: JoinedFault): void;
  onFailure(error: unknown): void;
};

/** The open faults of a provider by their cause. */
type OpenFaults = Map<string, FaultRow>;

/**
 * Records faults of providers from the ends of calls. A call that succeeds costs one look-up while its
 * provider has no fault.
 */
export class FaultRecorder {
  readonly #parts: FaultRecorderParts;
  readonly #open = new Map<string, OpenFaults>();
  readonly #changed = new Set<FaultRow>();
  /** The ids of the faults that are known to operators. */
  #faultIds = new Set<string>();
  #flushTimer: Timer | undefined;
  #lookTimer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: FaultRecorderParts) {
    this.#parts = parts;
  }

  /** Takes up the faults of earlier processes, and of others that use the store. */
  async begin({ isShared }: { isShared: boolean }): Promise<void> {
    await this.#look(new Set());
    if (!isShared) return;
    this.#lookTimer = setInterval(() => void this.#inTurn(() => this.#look(new Set())), LOOK_EVERY_MS);
    this.#lookTimer.unref();
  }

  /** Notes the end of a call that says something about its provider. */
  readonly ended = (provider: string, call: EndedCall): void => {
    const open = this.#open.get(provider);
    if (call.outcome !== 'ok') this.#noteFailure(provider, call);
    else if (open !== undefined) this.#noteSuccess(provider, call, open);
  };

  /** Notes the failed calls of a request that another target then answered. */
  answered(calls: readonly AttemptRecord[]): void {
    for (const { provider, cause } of calls) {
      const row = cause === null ? undefined : this.#open.get(provider)?.get(cause);
      if (row === undefined) continue;
      row.hidden++;
      this.#change(row);
    }
  }

  /** Lists the faults of all processes. */
  async list(): Promise<JoinedFault[]> {
    await this.flush();
    const rows = await this.#parts.store.listFaults(MAX_LISTED);
    return joinFaults(rows, this.#parts.now()).filter(({ isRaised }) => isRaised);
  }

  /** Writes the changed faults. Faults that the store does not take are written with the next flush. */
  flush(): Promise<void> {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    return this.#inTurn(() => this.#write());
  }

  async close(): Promise<void> {
    clearInterval(this.#lookTimer);
    await this.flush();
    clearTimeout(this.#flushTimer);
  }

  #noteFailure(provider: string, call: EndedCall): void {
    const { at, model = null, status = null, message = null } = call;
    const cause = causeOfFailure(call);
    const open = this.#openOf(provider);
    const openRow = open.get(cause);
    const row =
      openRow === undefined || isFaultOver(openRow, at) ? newFaultRow({ provider, cause, at }) : openRow;
    open.set(cause, row);
    row.model = row.failures === 0 || row.model === model ? model : null;
    if (row.failures === 0) row.firstAt = at;
    row.lastAt = at;
    row.wellAt = null;
    row.failures++;
    row.recent = latestFailures([...row.recent, at]);
    row.isRaised ||=
      cause === 'key_refused' ||
      cause === 'out_of_credit' ||
      call.isPaused === true ||
      areFrequent(row.recent);
    row.status = status;
    row.message = message;
    this.#change(row);
  }

  /**
   * Notes a success for each open fault of the provider. A fault of one model ignores the successes of other
   * models for a while, since they may be served nevertheless.
   */
  #noteSuccess(provider: string, { at, model }: EndedCall, open: OpenFaults): void {
    for (const [cause, row] of open) {
      const isOther = row.model !== null && model !== undefined && row.model !== model;
      if (isOther && row.lastAt !== null && at - row.lastAt < WITHIN_MS) continue;
      if (row.wellAt === null) row.wellAt = at;
      else if (at - (row.seenAt ?? row.wellAt) >= SEEN_EVERY_MS) row.seenAt = at;
      else continue;
      this.#change(row);
      if (isFaultOver(row, at)) open.delete(cause);
    }
    if (open.size === 0) this.#open.delete(provider);
  }

  /** Returns the open faults of a provider. The map is empty if there are none yet. */
  #openOf(provider: string): OpenFaults {
    return this.#open.getOrInsertComputed(provider, () => new Map());
  }

  #change(row: FaultRow): void {
    this.#changed.add(row);
    this.#flushTimer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work);
    return this.#writing;
  }

  async #write(): Promise<void> {
    const rows = [...this.#changed];
    if (rows.length === 0) return;
    this.#changed.clear();
    try {
      await this.#parts.store.saveFaults(rows);
    } catch (error) {
      for (const row of rows) this.#changed.add(row);
      this.#parts.onFailure(error);
      this.#flushTimer ??= setTimeout(() => void this.flush(), FLUSH_MS);
      return;
    }
    await this.#look(new Set(rows.map(subjectOf)));
  }

  /**
   * Reads the open faults of all processes. Faults of `own` subjects are reported here. Each other fault is
   * reported by its process.
   */
  async #look(own: ReadonlySet<string>): Promise<void> {
    const now = this.#parts.now();
    try {
      const faults = joinFaults(await this.#parts.store.openFaults(now - WELL_FOR_MS), now).filter(
        ({ isRaised, endedAt }) => isRaised && endedAt === null,
      );
      for (const fault of faults) {
        this.#follow(fault);
        if (own.has(subjectOf(fault)) && !this.#faultIds.has(fault.id)) this.#parts.began(fault);
      }
      this.#faultIds = new Set(faults.map(({ id }) => id));
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  /** Follows a fault that others have found, or that failures of several processes make together. */
  #follow(fault: JoinedFault): void {
    const { provider, cause, model } = fault;
    const open = this.#openOf(provider);
    const row = open.get(cause);
    if (row === undefined) {
      open.set(cause, { ...newFaultRow({ provider, cause, at: this.#parts.now() }), model });
    } else if (!row.isRaised && row.failures > 0) {
      row.isRaised = true;
      this.#change(row);
    }
  }
}

const subjectOf = ({ provider, cause }: Pick<FaultRow, 'provider' | 'cause'>): string =>
  `${provider} ${cause}`;
