import { hostname } from 'node:os';
import { newId } from '../../../base/lib/ids.ts';
import { json } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';
import type { DatabaseClock } from './database-clock.ts';
import { FeedReader, type NodeChange } from './feed-reader.ts';

export type MembershipParts = {
  queries: Queries;
  clock: DatabaseClock;
  version: string;
  /** The day of the program's commit. It is empty if it is unknown. */
  commitDate: string;
  configHash: () => string;
  worker: number | null;
  /**
   * Default 4 s. A node closes others only after it has heard the database for so long without a longer
   * break.
   */
  steadyMs?: number;
  /** Learns each id under which this process is registered. */
  registered?(id: string): void;
  report(level: 'info' | 'warn' | 'error', event: string, fields: Record<string, unknown>): void;
};

/** The pause between heartbeats. */
const PAUSE_MS = 1_000;
/** A node that is silent for this time of the database's clock is closed by any other. `pulse` has it too. */
const SILENT_MS = 10_000;
/**
 * When the database comes back, every node has been silent, and each has this long for its next heartbeat.
 */
const STEADY_MS = 4_000;
/**
 * Changes of this long before the latest reading are read again, since they can commit in another order than
 * their ids.
 */
const OVERLAP_MS = 10_000;

/** Voids the holds of a node except those of items at providers. Their requests have ended. */
const voidSql = `
  SELECT void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = $1 AND NOT EXISTS (
    SELECT FROM batch_item i WHERE i.batch = o.away_batch AND i.number = o.away_number
      AND i.submission IS NOT NULL AND i.state IN ('queued', 'running'))))`;

/** Removes a node without open holds, and gives back its places. Any other node is left for the others. */
const leaveSql = `
  WITH gone AS (
    DELETE FROM node WHERE id = $1 AND NOT EXISTS (SELECT FROM open_hold WHERE open_hold.node = $1) RETURNING id
  )
  SELECT return_places(id) FROM gone`;

/**
 * Closes a node that is still silent. Another node may have closed it meanwhile. The row is locked before
 * `close_node` changes it: a lock in the same query would leave out the changed row.
 */
const closeSilentSql = `
  WITH silent AS MATERIALIZED (
    SELECT id FROM node
    WHERE id = $1 AND closed_at IS NULL AND heartbeat < now_ms() - ${SILENT_MS} FOR UPDATE
  )
  SELECT close_node(id)::text AS answer FROM silent`;

type Pulse = {
  now: number;
  ahead: number;
  open: boolean;
  silent: string[];
  changes: [number, string, string][];
};

/**
 * Registers this process as a node. Each heartbeat also reads the database's time and the changes of other
 * nodes, and closes nodes that have fallen silent.
 */
export class Membership {
  readonly feed = new FeedReader();
  readonly #parts: MembershipParts;
  readonly #onClosed: ((closedId: string) => void)[] = [];
  #openRequests = () => 0;
  #id = newId('node_');
  #timer: Timer | undefined;
  #isStopped = false;
  #pulsing: Promise<void> | undefined;
  /** The time of the latest answer of the database, on the monotonic clock. */
  heardAt = performance.now();
  /** Since when the database has answered without a break. */
  #steadySince = performance.now();

  constructor(parts: MembershipParts) {
    this.#parts = parts;
  }

  /**
   * Registers a listener for the closing of this node by another one.
   * It ends the answers of that node, which may not be settled.
   */
  onClosed(listener: (closedId: string) => void): void {
    this.#onClosed.push(listener);
  }

  /** Reports the number of open requests from now on. */
  serve(openRequests: () => number): void {
    this.#openRequests = openRequests;
  }

  /** The id of this node. It changes after the node was closed. */
  get id(): string {
    return this.#id;
  }

  async start(): Promise<void> {
    await this.#register(this.#id);
    await this.pulse();
    this.#arm();
  }

  /**
   * Leaves the list of nodes at once. Every request must have ended before. With the hold of an item at a
   * provider, the others close this node later.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#pulsing;
    // Without the database, the others close this node once it is silent.
    await this.#leave().catch(() => {});
  }

  async #leave(): Promise<void> {
    for (const text of [voidSql, leaveSql]) await this.#parts.queries.run(text, [this.#id]);
  }

  /** Sends a heartbeat now. A call during another one waits for that one. */
  pulse(): Promise<void> {
    this.#pulsing ??= this.#pulse()
      .catch((error: unknown) => this.#parts.report('warn', 'heartbeat-failed', { problem: String(error) }))
      .finally(() => {
        this.#pulsing = undefined;
      });
    return this.#pulsing;
  }

  /** Sends a heartbeat that reads what was written before this call. */
  async pulseAnew(): Promise<void> {
    await this.#pulsing;
    await this.pulse();
  }

  /** Sends a heartbeat at once, since a statement was refused because another node has closed this one. */
  wasClosed(): void {
    void this.pulse();
  }

  #arm(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.pulse().then(() => this.#arm()), PAUSE_MS);
    this.#timer.unref();
  }

  async #register(id: string): Promise<void> {
    const { queries, version, commitDate, configHash, worker } = this.#parts;
    this.#parts.registered?.(id);
    await queries.run('SELECT register_node($1, $2, $3, $4, $5)', [
      id,
      version,
      configHash(),
      hostname(),
      worker,
    ]);
    await queries.run(`UPDATE node SET commit_date = nullif($2, '') WHERE id = $1`, [id, commitDate]);
  }

  async #pulse(): Promise<void> {
    const { queries, clock, configHash } = this.#parts;
    const askedAt = performance.now();
    const row = await queries.first('SELECT pulse($1, $2, $3, $4)::text AS answer', [
      this.#id,
      configHash(),
      this.#openRequests(),
      OVERLAP_MS + Math.ceil(askedAt - this.heardAt),
    ]);
    const answeredAt = performance.now();
    const { steadyMs = STEADY_MS } = this.#parts;
    if (answeredAt - this.heardAt > steadyMs) this.#steadySince = answeredAt;
    this.heardAt = answeredAt;
    const { now, ahead, open, silent, changes } = json<Pulse>(row, 'answer');
    clock.read(now, { askedAt, answeredAt, aheadMs: ahead });
    this.feed.take(changes.map(([id, kind, subject]): NodeChange => ({ id, kind, subject })));
    if (!open && !this.#isStopped) await this.#reopen();
    if (answeredAt - this.#steadySince < steadyMs) return;
    for (const id of silent) if (id !== this.#id) await this.#close(id);
  }

  /**
   * Another node has closed this one, which was silent.
   * Its open answers end, and it continues under a new id.
   */
  async #reopen(): Promise<void> {
    const { report } = this.#parts;
    const before = this.#id;
    const next = newId('node_');
    report('error', 'node-was-closed', { node: before, new_node: next });
    await this.#register(next);
    this.#id = next;
    for (const closed of this.#onClosed) closed(before);
  }

  async #close(id: string): Promise<void> {
    const { queries, report } = this.#parts;
    const row = await queries.first(closeSilentSql, [id]);
    if (row) report('warn', 'node-closed', { node: id, ...json<object>(row, 'answer') });
  }
}
