import { NodeClosed } from '../../../base/errors/node-closed.ts';
import { Unavailable } from '../../../base/errors/unavailable.ts';
import type { Bound } from '../../../money/ledger/shortfall.ts';
import { byAccount } from '../../by-account.ts';
import { json } from '../../row-columns.ts';
import type { BudgetStateRow } from '../budgets/budget-state-rows.ts';
import { CallQueue } from '../call-queue.ts';
import type { Statement } from '../connection/postgres-connection.ts';
import type { Database, PostgresRow } from '../database.ts';
import type { NodeIdentity } from '../gate/node-identity.ts';
import type { CountRelease, ReleaseCall, ReleaseSender } from '../gate/release-sender.ts';
import type { CallOptions } from '../queries.ts';
import { withDeadline } from '../with-deadline.ts';
import { isRetried } from './retried.ts';

/**
 * The entry that was written for a posting, and its balances after it.
 * `skipped` means that the batch item's attempt no longer counts.
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
  releases: ReleaseSender;
  timeoutMs: number;
};

export type SettleOrder = {
  accountId: string;
  /** The posting as JSON. */
  posting: string;
  /** The node that held the credit. Undefined if the posting counts under any node. */
  node: string | undefined;
  /** The release of the request, which is sent with the posting. */
  release?: CountRelease | undefined;
};

type Waiting = SettleOrder & {
  deadlineAt: number;
  isAnswered: boolean;
  resolve(verdict: SettleVerdict): void;
  reject(error: unknown): void;
};

const MAX_POSTINGS = 64;
/** The most characters in one call. A single larger posting is allowed. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
const MAX_WAITING = 20_000;
const RETRY_MS = 50;
export const SETTLE = 'SELECT settle($1, $2::text::json) AS answer';

/** A name that no node has. */
const NO_NODE = '';

/**
 * Writes charges, several in one transaction. A call without an answer is sent again, since each entry is
 * written once.
 */
export class Settlements {
  readonly #parts: SettlementsParts;
  readonly #queue = new CallQueue<Waiting>({
    take: takeGroup,
    send: (group) => this.#settleGroup(group),
    expire,
  });

  constructor(parts: SettlementsParts) {
    this.#parts = parts;
  }

  post(order: SettleOrder): Promise<SettleVerdict> {
    if (this.#queue.waiting.length >= MAX_WAITING) {
      if (order.release) this.#parts.releases.queue([order.release]);
      return Promise.reject(tooMany());
    }
    return new Promise((resolve, reject) => {
      const deadlineAt = performance.now() + this.#parts.timeoutMs;
      const { accountId, posting, node, release } = order;
      this.#queue.add({ accountId, posting, node, release, deadlineAt, isAnswered: false, resolve, reject });
    });
  }

  async #settleGroup(group: readonly Waiting[]): Promise<void> {
    const { releases } = this.#parts;
    const call = releases.callOrQueue(takeReleases(group));
    try {
      await this.#settleWith(call, group);
    } finally {
      if (call) releases.finish(call);
    }
  }

  async #settleWith(call: ReleaseCall | undefined, all: readonly Waiting[]): Promise<void> {
    for (;;) {
      const node = this.#parts.identity.id();
      refuseOthers(all, node);
      const group = all.filter(({ isAnswered }) => !isAnswered);
      if (group.length === 0) return;
      const answer = await this.#attempt(node, group, call).catch((error: unknown) => ({ error }));
      if (Array.isArray(answer)) return deliver(group, answer);
      if ('closed' in answer) await this.#rejoin(node, group);
      else if (isRetried(answer.error)) await Bun.sleep(RETRY_MS);
      else return this.#settleEach(group, answer.error);
    }
  }

  async #attempt(
    node: string,
    group: readonly Waiting[],
    call: ReleaseCall | undefined,
  ): Promise<SettleVerdict[] | { closed: true }> {
    const text = `[${group.map(({ posting }) => posting).join(',')}]`;
    const { database, timeoutMs } = this.#parts;
    // A posting that was refused meanwhile must not be written when the database is back.
    const isWanted = () => group.every(({ isAnswered }) => !isAnswered);
    const named = { name: 'settle', operations: group.length };
    const options = { ...named, deadlineMs: timeoutMs, isWanted };
    const work =
      call && !call.isSettled
        ? this.#sendWith(call, { text: SETTLE, values: [node, text] }, options)
        : database.first(SETTLE, [node, text], options);
    const row = await withDeadline(work, timeoutMs);
    return json<SettleVerdict[] | { closed: true }>(row, 'answer');
  }

  /** Sends the call of the gate first, since it takes no flush. */
  async #sendWith(
    call: ReleaseCall,
    settle: Statement,
    options: CallOptions,
  ): Promise<PostgresRow | undefined> {
    const { database, releases } = this.#parts;
    // There is an outcome for each statement.
    const [released, settled] = await database.pipeline([call.statement, settle], options);
    releases.takeOutcome(call, released!);
    if (settled!.status === 'rejected') throw settled!.reason;
    return settled!.value[0];
  }

  /** Settles postings one by one, so that one that fails does not affect the others of its call. */
  async #settleEach(group: readonly Waiting[], error: unknown): Promise<void> {
    if (group.length === 1) return group[0]!.reject(error);
    for (const waiting of group) await this.#settleGroup([waiting]);
  }

  async #rejoin(node: string, group: readonly Waiting[]): Promise<void> {
    const { identity } = this.#parts;
    identity.closed(node);
    refuseOthers(group, NO_NODE);
    while (identity.id() === node && group.some(({ isAnswered }) => !isAnswered))
      await Bun.sleep(RETRY_MS / 5);
  }
}

/** Removes the postings of the next call. Functions that store results and responses lock in this order. */
function takeGroup(all: Waiting[]): Waiting[] {
  let characters = 0;
  let count = 0;
  for (const { posting } of all) {
    characters += posting.length;
    if (count === MAX_POSTINGS || (count > 0 && characters > MAX_CHARACTERS)) break;
    count += 1;
  }
  return all.splice(0, count).sort(byAccount);
}

/** Returns the releases of postings. They are sent once, however often the postings are tried. */
function takeReleases(group: readonly Waiting[]): CountRelease[] {
  const releases = group.flatMap(({ release }) => (release ? [release] : []));
  for (const waiting of group) waiting.release = undefined;
  return releases;
}

function expire(pending: readonly Waiting[]): void {
  const now = performance.now();
  for (const waiting of pending) {
    if (waiting.isAnswered || waiting.deadlineAt > now) continue;
    waiting.isAnswered = true;
    waiting.reject(notTaken());
  }
}

/** Refuses the postings whose holds another node had. Such a node is closed, so the holds have ended. */
function refuseOthers(all: readonly Waiting[], node: string): void {
  for (const waiting of all) {
    if (waiting.isAnswered || waiting.node === undefined || waiting.node === node) continue;
    waiting.isAnswered = true;
    waiting.reject(new NodeClosed(waiting.node));
  }
}

function deliver(group: readonly Waiting[], verdicts: readonly SettleVerdict[]): void {
  group.forEach(({ resolve }, index) => {
    resolve(verdicts[index]!);
  });
}

const notTaken = (): Unavailable =>
  new Unavailable('The database has not taken a settlement in time', 'check Postgres and the network to it');
const tooMany = (): Unavailable =>
  new Unavailable('Too many settlements wait for the database', 'check Postgres and the network to it');
