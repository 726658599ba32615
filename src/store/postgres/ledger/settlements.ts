import { NodeClosed } from '../../../base/errors/node-closed.ts';
import { Unavailable } from '../../../base/errors/unavailable.ts';
import type { Bound } from '../../../money/ledger/shortfall.ts';
import { gather } from '../../gather.ts';
import { pause } from '../../pause.ts';
import { json } from '../../row-columns.ts';
import type { BudgetStateRow } from '../budgets/budget-state-rows.ts';
import type { Statement } from '../connection/postgres-connection.ts';
import type { Database, PostgresRow } from '../database.ts';
import type { Departure, Departures, Ride } from '../gate/departures.ts';
import type { NodeIdentity } from '../gate/node-identity.ts';
import type { CallOptions } from '../queries.ts';
import { withDeadline } from '../with-deadline.ts';
import { isRetried } from './retried.ts';

/**
 * The entry that was written for a posting, and its balances after it.
 * `skipped`: the batch item's attempt no longer counts.
 */
export type SettleVerdict = [
  status: 'posted' | 'adjusted' | 'exists' | 'skipped',
  microcredits: number,
  keyMicrocredits: number,
  bound: Bound | null,
  granted: number,
  used: number,
  keyUsed: number,
  budgets?: readonly BudgetStateRow[],
];

export type SettlementsParts = {
  database: Pick<Database, 'first' | 'pipeline'>;
  identity: NodeIdentity;
  departures: Pick<Departures, 'board' | 'arrive' | 'end'>;
  timeoutMs: number;
};

export type SettleOrder = {
  accountId: string;
  /** The posting as JSON. */
  piece: string;
  /** The node that held the credit. It is undefined if the posting counts under any node. */
  node: string | undefined;
  /** The end of the request's count, which travels with the posting. */
  departure?: Departure | undefined;
};

type Waiting = SettleOrder & {
  deadlineAt: number;
  isOver: boolean;
  resolve(verdict: SettleVerdict): void;
  reject(error: unknown): void;
};

const MAX_POSTINGS = 64;
/** The most bytes in one call. A single larger posting is allowed. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_WAITING = 20_000;
const RETRY_MS = 50;
const EXPIRE_EVERY_MS = 100;
export const SETTLE = 'SELECT settle($1, $2::text::json) AS answer';

/** A name that no node has. */
const NO_NODE = '';

/**
 * Writes charges, several in one transaction. A transaction begins after a turn of the event loop that adds
 * no charge. Charges that arrive meanwhile share the next one.
 * A call without an answer is sent again, since each entry is written once.
 */
export class Settlements {
  readonly #parts: SettlementsParts;
  readonly #waiting: Waiting[] = [];
  #current: readonly Waiting[] = [];
  #isWorking = false;

  constructor(parts: SettlementsParts) {
    this.#parts = parts;
  }

  post({ accountId, piece, node, departure }: SettleOrder): Promise<SettleVerdict> {
    return new Promise((resolve, reject) => {
      const deadlineAt = performance.now() + this.#parts.timeoutMs;
      const waiting = { accountId, piece, node, departure, deadlineAt, isOver: false, resolve, reject };
      if (this.#waiting.length >= MAX_WAITING) {
        this.#board([waiting]);
        return reject(away());
      }
      this.#waiting.push(waiting);
      if (this.#isWorking) return;
      this.#isWorking = true;
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    const expiry = setInterval(() => this.#expire(), EXPIRE_EVERY_MS);
    try {
      await this.#gather();
      while (this.#waiting.length > 0) {
        this.#current = this.#takeGroup();
        await this.#settleGroup(this.#current);
        await this.#gather();
      }
    } finally {
      clearInterval(expiry);
      this.#current = [];
      this.#isWorking = false;
    }
  }

  #gather(): Promise<void> {
    return gather({ waiting: () => this.#waiting.length, written: this.#current.length });
  }

  #takeGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { piece } of this.#waiting) {
      bytes += piece.length;
      if (count === MAX_POSTINGS || (count > 0 && bytes > MAX_BYTES)) break;
      count += 1;
    }
    // Functions that store results and responses lock accounts in this order.
    return this.#waiting.splice(0, count).sort(byAccount);
  }

  async #settleGroup(all: readonly Waiting[]): Promise<void> {
    const ride = this.#board(all);
    try {
      await this.#settleWith(ride, all);
    } finally {
      if (ride) this.#parts.departures.end(ride);
    }
  }

  /** The ends of counts leave once, however often the postings are tried. */
  #board(all: readonly Waiting[]): Ride | undefined {
    const departures = all.flatMap(({ departure }) => (departure ? [departure] : []));
    for (const waiting of all) waiting.departure = undefined;
    return this.#parts.departures.board(departures);
  }

  async #settleWith(ride: Ride | undefined, all: readonly Waiting[]): Promise<void> {
    for (;;) {
      const node = this.#parts.identity.id();
      refuseOthers(all, node);
      const group = all.filter(({ isOver }) => !isOver);
      if (group.length === 0) return;
      const answer = await this.#attempt(node, group, ride).catch((error: unknown) => ({ error }));
      if (Array.isArray(answer)) return deliver(group, answer);
      if ('closed' in answer) await this.#rejoin(node, group);
      else if (isRetried(answer.error)) await pause(RETRY_MS);
      else return this.#divide(group, answer.error);
    }
  }

  async #attempt(
    node: string,
    group: readonly Waiting[],
    ride: Ride | undefined,
  ): Promise<SettleVerdict[] | { closed: true }> {
    const text = `[${group.map(({ piece }) => piece).join(',')}]`;
    const { database, timeoutMs } = this.#parts;
    // A posting that was refused meanwhile must not be written when the database is back.
    const isWanted = () => group.every(({ isOver }) => !isOver);
    const named = { name: 'settle', operations: group.length };
    const options = { ...named, deadlineMs: timeoutMs, isWanted };
    const work =
      ride && !ride.isOver
        ? this.#sendWith(ride, { text: SETTLE, values: [node, text] }, options)
        : database.first(SETTLE, [node, text], options);
    const row = await withDeadline(work, timeoutMs);
    return json<SettleVerdict[] | { closed: true }>(row, 'answer');
  }

  /** The gate's call goes first, since it takes no flush. */
  async #sendWith(ride: Ride, settle: Statement, options: CallOptions): Promise<PostgresRow | undefined> {
    const { database, departures } = this.#parts;
    // There is an outcome for each statement.
    const [left, settled] = await database.pipeline([ride.statement, settle], options);
    departures.arrive(ride, left!);
    if (settled!.status === 'rejected') throw settled!.reason;
    return settled!.value[0];
  }

  /** A posting that fails must not affect the others of its call. */
  async #divide(group: readonly Waiting[], error: unknown): Promise<void> {
    if (group.length === 1) return group[0]!.reject(error);
    for (const waiting of group) await this.#settleGroup([waiting]);
  }

  async #rejoin(node: string, group: readonly Waiting[]): Promise<void> {
    const { identity } = this.#parts;
    identity.closed(node);
    refuseOthers(group, NO_NODE);
    while (identity.id() === node && group.some(({ isOver }) => !isOver)) await pause(RETRY_MS / 5);
  }

  #expire(): void {
    const now = performance.now();
    const overdue = [...this.#current, ...this.#waiting].filter(
      ({ isOver, deadlineAt }) => !isOver && deadlineAt <= now,
    );
    for (const waiting of overdue) {
      waiting.isOver = true;
      waiting.reject(away());
    }
  }
}

/** Refuses the postings whose holds another node had. Such a node is closed, so the holds have ended. */
function refuseOthers(all: readonly Waiting[], node: string): void {
  for (const waiting of all) {
    if (waiting.isOver || waiting.node === undefined || waiting.node === node) continue;
    waiting.isOver = true;
    waiting.reject(new NodeClosed(waiting.node));
  }
}

const byAccount = (one: Waiting, other: Waiting): number =>
  one.accountId < other.accountId ? -1 : Number(one.accountId > other.accountId);

function deliver(group: readonly Waiting[], verdicts: readonly SettleVerdict[]): void {
  group.forEach(({ resolve }, index) => {
    resolve(verdicts[index]!);
  });
}

const away = (): Unavailable =>
  new Unavailable('The database has not taken a settlement in time', 'check Postgres and the network to it');
