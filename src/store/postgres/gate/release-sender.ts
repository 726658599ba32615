import { json } from '../../row-columns.ts';
import type { Statement } from '../connection/postgres-connection.ts';
import type { Database, PostgresRow } from '../database.ts';
import { isRetried } from '../ledger/retried.ts';
import { formatCall, type GateCallText } from './format-call.ts';
import type { GateCallAnswer, GateReport } from './gate-answer.ts';
import { GATE, type GateListeners, type GateQueue } from './gate-calls.ts';
import type { GateOp } from './gate-op.ts';
import { newLaneName } from './new-lane-name.ts';
import type { NodeIdentity } from './node-identity.ts';

/** Gives back what a request counted against its limits. */
export type CountRelease = {
  op: GateOp;
  /** The node that took what the operation gives back. */
  node: string;
  /** Resolves when the database has executed the operation, or when the store is away. */
  done: PromiseWithResolvers<void>;
};

export type ReleaseSenderParts = GateListeners & {
  database: Pick<Database, 'first'>;
  identity: NodeIdentity;
  calls: GateQueue;
};

/** A call of the gate that is sent on the connection of a settlement. */
export type ReleaseCall = {
  readonly releases: readonly CountRelease[];
  readonly node: string;
  readonly call: GateCallText;
  readonly statement: Statement;
  /** True once the outcome is known. */
  isSettled: boolean;
};

const RETRY_MS = 50;
const DEADLINE_MS = 3_000;

/**
 * Sends releases on the connection of their settlements, which saves a round trip for each request. While the
 * gate is busy, releases join its next call instead. Release calls are numbered in a separate lane, since
 * settlements do not wait for the gate.
 */
export class ReleaseSender {
  readonly #parts: ReleaseSenderParts;
  #lane = newLaneName();
  #number = 0;

  constructor(parts: ReleaseSenderParts) {
    this.#parts = parts;
  }

  /**
   * Returns a call for the connection of a settlement, or queues the releases while the gate is busy.
   * Undefined if the connection has nothing to send. The caller ends each call before it begins another.
   */
  callOrQueue(releases: readonly CountRelease[]): ReleaseCall | undefined {
    if (releases.length === 0) return undefined;
    if (!this.#parts.calls.isWorking) return this.#callFor(releases);
    this.queue(releases);
    return undefined;
  }

  /** Sends releases with the next call of the gate. */
  queue(releases: readonly CountRelease[]): void {
    for (const { op, node, done } of releases) {
      const end = () => done.resolve();
      // An operation that is refused at its deadline stays in the queue until the store answers.
      this.#parts.calls.send(op, node).then(end, end);
    }
  }

  /** Takes the outcome of an attempt. The call stays open if the database may have executed it. */
  takeOutcome(call: ReleaseCall, outcome: PromiseSettledResult<PostgresRow[]>): void {
    if (call.isSettled || (outcome.status === 'rejected' && isRetried(outcome.reason))) return;
    call.isSettled = true;
    const answer = outcome.status === 'fulfilled' ? answerOf(outcome.value) : undefined;
    if (answer && 'a' in answer) {
      this.#deliver(call, answer);
    } else if (answer && 'closed' in answer) {
      this.#parts.identity.closed(call.node);
      resolveAll(call.releases);
    } else {
      // The database has executed nothing.
      this.queue(call.releases);
    }
  }

  /** Ends a call whose settlement has ended. The call is repeated until its outcome is known. */
  finish(call: ReleaseCall): void {
    if (call.isSettled) return;
    this.#lane = newLaneName();
    this.#number = 0;
    void this.#repeat(call);
  }

  #callFor(releases: readonly CountRelease[]): ReleaseCall | undefined {
    const { calls, identity } = this.#parts;
    const node = identity.id();
    // The database has taken back all counts of a closed node.
    resolveAll(releases.filter((release) => release.node !== node));
    const open = releases.filter((release) => release.node === node);
    if (open.length === 0) return undefined;
    const call = formatCall(open.map(({ op }) => op));
    const values = [node, calls.era, this.#lane, ++this.#number, call.text];
    return { releases: open, node, call, statement: { text: GATE, values }, isSettled: false };
  }

  async #repeat(call: ReleaseCall): Promise<void> {
    const { database, calls } = this.#parts;
    const { text, values } = call.statement;
    while (!call.isSettled && !calls.isClosed) {
      const sent = database.first(text, values, { deadlineMs: DEADLINE_MS });
      const [outcome] = await Promise.allSettled([sent.then((row) => (row ? [row] : []))]);
      this.takeOutcome(call, outcome);
      if (!call.isSettled) await Bun.sleep(RETRY_MS);
    }
    if (!call.isSettled) resolveAll(call.releases);
  }

  #deliver({ releases, node, call }: ReleaseCall, report: GateReport): void {
    const { decided, observed } = this.#parts;
    observed(call, report);
    releases.forEach(({ op, done }, index) => {
      decided(op, { verdict: report.a[index]!, now: report.now, node });
      done.resolve();
    });
  }
}

function resolveAll(releases: readonly CountRelease[]): void {
  for (const { done } of releases) done.resolve();
}

const answerOf = ([row]: readonly PostgresRow[]): GateCallAnswer => json<GateCallAnswer>(row, 'answer');
