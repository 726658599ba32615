import { Unavailable } from '../../../base/errors/unavailable.ts';
import { json } from '../../row-columns.ts';
import { CallQueue } from '../call-queue.ts';
import { PostgresError } from '../connection/postgres-error.ts';
import type { Database } from '../database.ts';
import { isRetried } from '../ledger/retried.ts';
import { withDeadline } from '../with-deadline.ts';
import { formatCall, type GateCallText } from './format-call.ts';
import type { GateCallAnswer, GateReport, GateVerdict } from './gate-answer.ts';
import type { GateOp } from './gate-op.ts';
import { newLaneName } from './new-lane-name.ts';
import type { NodeIdentity } from './node-identity.ts';

/** The verdict on one operation. `node` is the id under which it was counted. */
export type GateReply = { verdict: GateVerdict; now: number; node: string };

/** Receives the answers of the gate. */
export type GateListeners = {
  /** Receives each operation with its verdict. */
  decided(op: GateOp, reply: GateReply): void;
  /** Receives the figures of each answer. */
  observed(call: GateCallText, report: GateReport): void;
};

/** A queue of operations for the next call of the gate. */
export type GateQueue = {
  send(op: GateOp, node?: string): Promise<unknown>;
  /** True while a call is under way. */
  readonly isWorking: boolean;
  readonly isClosed: boolean;
  readonly era: string;
};

export type GateCallsParts = GateListeners & {
  database: Pick<Database, 'first'>;
  identity: NodeIdentity;
  /** The longest wait of an operation for the database. */
  timeoutMs: number;
  /** Receives, after `decided`, an operation whose caller has given up. */
  abandoned(op: GateOp, reply: GateReply): void;
  /** Learns the new id that calls use. The places and holds of the earlier id have ended. */
  renewed(node: string): void;
  /** Returns the scopes and holds of this node, as JSON, which the database has lost. */
  takeLost(): { scopes: string; holds: string };
};

type Waiting = {
  op: GateOp;
  /** The node that took what the operation gives back. The current node is meant if it is undefined. */
  node: string | undefined;
  deadlineAt: number;
  isAbandoned: boolean;
  resolve(reply: GateReply): void;
  reject(error: unknown): void;
};

type GateCall = { group: readonly Waiting[]; text: GateCallText };

/** The answer of `restore()`. `ready`: all nodes have written back what they took. */
type RestoreAnswer = { closed: true } | { era: string; ready: boolean };

/** The most operations in one call. This bounds the time for which the rows are locked. */
const MAX_OPS = 64;
const MAX_WAITING = 20_000;
const RETRY_MS = 50;
/** A call without an answer is sent again on another connection. The database executes it once. */
const ANSWER_TIMEOUT_MS = 3_000;

export const GATE = 'SELECT gate($1, $2, $3, $4, $5::text::jsonb) AS answer';
const RESTORE = 'SELECT restore($1, $2::text::jsonb, $3::text::jsonb) AS answer';

/**
 * Sends operations to the gate, several in one call. Calls are numbered, so that a call whose answer was lost
 * can be sent again.
 */
export class GateCalls implements GateQueue {
  readonly #parts: GateCallsParts;
  readonly #queue: CallQueue<Waiting>;
  #era = '';
  #lane = newLaneName();
  #number = 0;
  #node = '';
  #isClosed = false;

  constructor(parts: GateCallsParts) {
    this.#parts = parts;
    this.#queue = new CallQueue({
      take: (waiting) => waiting.splice(0, MAX_OPS),
      send: (group) => this.#settleCall(givesFirst(group)),
      expire: (pending) => this.#expire(pending),
    });
  }

  send(op: GateOp, node?: string): Promise<GateReply> {
    return new Promise((resolve, reject) => {
      if (isTaking(op) && (this.#isClosed || this.#queue.waiting.length >= MAX_WAITING))
        return reject(busy());
      const deadlineAt = performance.now() + this.#parts.timeoutMs;
      this.#queue.add({ op, node, deadlineAt, isAbandoned: false, resolve, reject });
    });
  }

  /** True while a call is under way. */
  get isWorking(): boolean {
    return this.#queue.isWorking;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The era in which this node has written back what it took. */
  get era(): string {
    return this.#era;
  }

  /** Writes back what the database lost, if it lost its windows. */
  async checkEra(): Promise<void> {
    // The answer of a call that is under way names a lost era.
    if (this.isWorking || this.#isClosed) return;
    const row = await this.#parts.database.first('SELECT id FROM era WHERE ready');
    if (row?.id !== this.#era && !this.isWorking) await this.#restore();
  }

  /** Waits for the operations that were sent, and refuses new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const from = performance.now();
    while (this.isWorking && performance.now() - from < this.#parts.timeoutMs) await Bun.sleep(RETRY_MS / 5);
  }

  /** Repeats a call until its outcome is known, or until nobody waits for it. */
  async #settleCall(all: readonly Waiting[]): Promise<void> {
    let call: GateCall | undefined;
    for (;;) {
      const node = this.#nodeNow();
      call ??= this.#newCall(all, node);
      if (!call) return;
      const answer = await this.#attempt(node, call).catch((error: unknown) => ({ error }));
      if ('a' in answer) return this.#deliver(call, answer, node);
      if ('error' in answer) {
        if (!isRetried(answer.error)) return this.#divide(all, answer.error);
        await Bun.sleep(RETRY_MS);
      } else if ('era' in answer) await this.#restore().catch(() => Bun.sleep(RETRY_MS));
      else {
        if (!(await this.#rejoined(node, all))) return;
        call = undefined;
      }
      if (this.#isClosed && areAbandoned(all)) return;
    }
  }

  /** Makes a call of the operations that are still wanted. Returns undefined if no operation is. */
  #newCall(all: readonly Waiting[], node: string): GateCall | undefined {
    const group = this.#stillWanted(all, node);
    if (group.length === 0) return undefined;
    this.#number += 1;
    return { group, text: formatCall(group.map(({ op }) => op)) };
  }

  /**
   * Returns the operations that are still wanted. A closed node has given back all counts, so only the voids
   * of its holds are sent. An operation that its caller gave up before the call is not sent.
   */
  #stillWanted(all: readonly Waiting[], node: string): Waiting[] {
    const wanted: Waiting[] = [];
    for (const waiting of all) {
      const isOfClosed = waiting.node !== undefined && waiting.node !== node;
      if (isOfClosed && waiting.op.kind === 'release') waiting.resolve({ verdict: ['ok', 0], now: 0, node });
      else if (!(waiting.isAbandoned && isTaking(waiting.op))) {
        if (isOfClosed && waiting.op.kind === 'void')
          waiting.op = { ...waiting.op, limits: undefined, returns: undefined };
        wanted.push(waiting);
      }
    }
    return wanted;
  }

  async #attempt(node: string, { group, text: { text } }: GateCall): Promise<GateCallAnswer> {
    const values = [node, this.#era, this.#lane, this.#number, text];
    const named = { name: 'admit', operations: group.length };
    const work = this.#parts.database.first(GATE, values, { ...named, deadlineMs: ANSWER_TIMEOUT_MS });
    const row = await withDeadline(work, ANSWER_TIMEOUT_MS);
    return json<GateCallAnswer>(row, 'answer');
  }

  #deliver(call: GateCall, report: GateReport, node: string): void {
    this.#parts.observed(call.text, report);
    call.group.forEach(({ op, isAbandoned, resolve }, index) => {
      const reply = { verdict: report.a[index]!, now: report.now, node };
      this.#parts.decided(op, reply);
      if (isAbandoned) this.#parts.abandoned(op, reply);
      resolve(reply);
    });
  }

  /** An error in the program must not affect the other operations of a call. */
  async #divide(all: readonly Waiting[], error: unknown): Promise<void> {
    if (all.length === 1) return all[0]!.reject(isHeld(error) ? stillHeld(error) : error);
    for (const waiting of all) await this.#settleCall([waiting]);
  }

  /** Waits for the node's next id. Returns false if no operation waits for it any longer. */
  async #rejoined(node: string, all: readonly Waiting[]): Promise<boolean> {
    this.#parts.identity.closed(node);
    while (this.#parts.identity.id() === node) {
      if (this.#isClosed || areAbandoned(all)) return false;
      await Bun.sleep(RETRY_MS / 5);
    }
    return true;
  }

  #nodeNow(): string {
    const node = this.#parts.identity.id();
    if (node !== this.#node) {
      this.#node = node;
      this.#lane = newLaneName();
      this.#number = 0;
      this.#parts.renewed(node);
    }
    return node;
  }

  async #restore(): Promise<void> {
    const { scopes, holds } = this.#parts.takeLost();
    const node = this.#parts.identity.id();
    const answer = withDeadline(
      this.#parts.database.first(RESTORE, [node, scopes, holds], { deadlineMs: ANSWER_TIMEOUT_MS }),
      ANSWER_TIMEOUT_MS,
    );
    const restored = json<RestoreAnswer>(await answer, 'answer');
    if ('closed' in restored) this.#parts.identity.closed(node);
    else if (restored.ready) {
      this.#era = restored.era;
      return;
    }
    await Bun.sleep(RETRY_MS);
  }

  /**
   * Gives up on operations at their deadline. Credit and counts that an admission took meanwhile are given
   * back.
   */
  #expire(pending: readonly Waiting[]): void {
    const now = performance.now();
    for (const operation of pending) {
      if (operation.isAbandoned || operation.deadlineAt > now) continue;
      operation.isAbandoned = true;
      operation.reject(away());
    }
    const { waiting } = this.#queue;
    for (let index = waiting.length - 1; index >= 0; index--) {
      const { isAbandoned, op } = waiting[index]!;
      if (isAbandoned && isTaking(op)) waiting.splice(index, 1);
    }
  }
}

/** Amounts that are given back are available to the admissions of the same call. */
const givesFirst = (all: readonly Waiting[]): Waiting[] => [
  ...all.filter(({ op }) => !isTaking(op)),
  ...all.filter(({ op }) => isTaking(op)),
];

const isTaking = ({ kind }: GateOp): boolean => kind === 'admit' || kind === 'ask' || kind === 'read';

const areAbandoned = (all: readonly Waiting[]): boolean => all.every(({ isAbandoned }) => isAbandoned);

/**
 * Reports whether an earlier hold of the request has not ended. A batch item can come to another node before
 * the hold of its earlier attempt ends.
 */
const isHeld = (error: unknown): boolean =>
  error instanceof PostgresError && error.constraint === 'open_hold_pkey';

const stillHeld = (error: unknown): Unavailable =>
  new Unavailable(
    'The hold of an earlier attempt has not ended',
    'wait until its node ends it or is closed',
    error,
  );
const away = (): Unavailable =>
  new Unavailable('The database has not answered in time', 'check Postgres and the network to it');
const busy = (): Unavailable =>
  new Unavailable('The database is too slow, or this node is stopping', 'check Postgres and retry later');
