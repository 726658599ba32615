import { json } from '../../row-columns.ts';
import type { Statement } from '../connection/postgres-connection.ts';
import type { Database, PostgresRow } from '../database.ts';
import { isRetried } from '../ledger/retried.ts';
import { formatCall, type GateCallText } from './format-call.ts';
import type { GateCallAnswer, GateReport } from './gate-answer.ts';
import { GATE, type GateCalls, type GateCallsParts } from './gate-calls.ts';
import type { GateOp } from './gate-op.ts';
import { newLaneName } from './new-lane-name.ts';

/** The end of a request's count. It can be sent together with the settlement of the request. */
export type CountRelease = {
  op: GateOp;
  /** The node that took what the operation gives back. */
  node: string;
  /** Resolves when the operation is counted, or when the store is away. */
  counted: PromiseWithResolvers<void>;
};

export type ReleaseSenderParts = Pick<GateCallsParts, 'identity' | 'decided' | 'observed'> & {
  database: Pick<Database, 'first'>;
  calls: Pick<GateCalls, 'send' | 'isWorking' | 'isClosed' | 'era'>;
};

/** A call of the gate that is sent on the connection of a settlement. */
export type ReleaseCall = {
  readonly releases: readonly CountRelease[];
  readonly node: string;
  readonly text: GateCallText;
  readonly statement: Statement;
  /** True once the outcome is known. */
  isOver: boolean;
};

const RETRY_MS = 50;
const DEADLINE_MS = 3_000;

/**
 * Sends the ends of counts on the connection of their settlements, so that a request costs two round trips.
 * While the gate is busy, its next call has them instead. The calls have a numbered lane of their own, since
 * a settlement does not wait for the gate.
 */
export class ReleaseSender {
  readonly #parts: ReleaseSenderParts;
  #lane = newLaneName();
  #number = 0;

  constructor(parts: ReleaseSenderParts) {
    this.#parts = parts;
  }

  /**
   * Returns a call for the connection of a settlement. Undefined if nothing is left to send.
   * The caller ends each call before it prepares the next one.
   */
  prepare(releases: readonly CountRelease[]): ReleaseCall | undefined {
    if (releases.length === 0) return undefined;
    const { calls, identity } = this.#parts;
    if (calls.isWorking) {
      this.sendAlone(releases);
      return undefined;
    }
    const node = identity.id();
    // The database has taken back all counts of a closed node.
    for (const release of releases) if (release.node !== node) release.counted.resolve();
    const open = releases.filter((release) => release.node === node);
    if (open.length === 0) return undefined;
    const text = formatCall(open.map(({ op }) => op));
    const values = [node, calls.era, this.#lane, ++this.#number, text.text];
    return { releases: open, node, text, statement: { text: GATE, values }, isOver: false };
  }

  /** Sends releases with the next call of the gate. */
  sendAlone(releases: readonly CountRelease[]): void {
    for (const { op, node, counted } of releases) {
      const end = () => counted.resolve();
      // An operation that is refused at its deadline stays in the queue until the store answers.
      this.#parts.calls.send(op, node).then(end, end);
    }
  }

  /** Takes the outcome of an attempt. It stays open if the statement may have run. */
  receive(call: ReleaseCall, outcome: PromiseSettledResult<PostgresRow[]>): void {
    if (call.isOver || (outcome.status === 'rejected' && isRetried(outcome.reason))) return;
    call.isOver = true;
    const answer = outcome.status === 'fulfilled' ? answerOf(outcome.value) : undefined;
    if (answer && 'a' in answer) this.#deliver(call, answer);
    else if (answer && 'closed' in answer) {
      this.#parts.identity.closed(call.node);
      for (const { counted } of call.releases) counted.resolve();
    }
    // The database has counted nothing.
    else this.sendAlone(call.releases);
  }

  /** Ends a call whose settlement has ended. It is repeated until its outcome is known. */
  finish(call: ReleaseCall): void {
    if (call.isOver) return;
    this.#lane = newLaneName();
    this.#number = 0;
    void this.#repeat(call);
  }

  async #repeat(call: ReleaseCall): Promise<void> {
    const { database, calls } = this.#parts;
    const { text, values } = call.statement;
    while (!call.isOver && !calls.isClosed) {
      const sent = database.first(text, values, { deadlineMs: DEADLINE_MS });
      const [outcome] = await Promise.allSettled([sent.then((row) => (row ? [row] : []))]);
      this.receive(call, outcome);
      if (!call.isOver) await Bun.sleep(RETRY_MS);
    }
    if (!call.isOver) for (const { counted } of call.releases) counted.resolve();
  }

  #deliver({ releases, node, text }: ReleaseCall, report: GateReport): void {
    const { decided, observed } = this.#parts;
    observed(text, report);
    releases.forEach(({ op, counted }, index) => {
      decided(op, { verdict: report.a[index]!, now: report.now, node });
      counted.resolve();
    });
  }
}

const answerOf = ([row]: readonly PostgresRow[]): GateCallAnswer => json<GateCallAnswer>(row, 'answer');
