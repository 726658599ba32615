import { AccountQuarantined } from '../../../base/errors/account-quarantined.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { BudgetState } from '../../../money/budgets/budget-state.ts';
import type { HoldOrder, Shortage, ShortageKind } from '../../../money/ledger/hold.ts';
import type {
  Gate,
  GateAnswer,
  GateForecast,
  GateObjection,
  GateOrder,
  GateQuestion,
  LimitOrder,
} from '../../../money/limits/gate.ts';
import type { LimitCount } from '../../../money/limits/limit-count.ts';
import type { LimitFigures } from '../../../money/limits/limit-figures.ts';
import type { LimitState } from '../../../money/limits/limit-state.ts';
import type { LimitedKey, LimitedRequest } from '../../../money/limits/limiter.ts';
import { refusalOfFault } from '../../../money/limits/refusal-of-fault.ts';
import { type CounterRow, stateOfRow } from '../budgets/budget-state-rows.ts';
import type { Database } from '../database.ts';
import { BalanceMirror } from './balance-mirror.ts';
import type { GateCallText } from './format-call.ts';
import type { GateReport, GateVerdict } from './gate-answer.ts';
import { GateCalls, type GateCallsParts, type GateReply } from './gate-calls.ts';
import type { GateOp } from './gate-op.ts';
import { holdRow } from './hold-row.ts';
import { LimitMirror } from './limit-mirror.ts';
import type { NodeIdentity } from './node-identity.ts';
import { type Admission, PostgresCount } from './postgres-count.ts';
import { PostgresHold } from './postgres-hold.ts';
import { ReleaseSender } from './release-sender.ts';
import { TakenHere } from './taken-here.ts';

export type PostgresGateParts = {
  database: Database;
  identity: NodeIdentity;
  /** The longest wait of an admission for the database. */
  admitTimeoutMs?: number;
  isQuarantined?: (accountId: string) => boolean;
};

const ADMIT_TIMEOUT_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
/**
 * An idle node looks this often whether the database has lost the windows, since the other nodes wait for it.
 */
const ERA_CHECK_EVERY_MS = 1_000;

/** The gate of a node of several. The database decides credit and limits of all nodes in one step. */
export class PostgresGate implements Gate {
  /** The balances of the latest answers. */
  readonly balances = new BalanceMirror();
  /** The open holds of this node. */
  readonly holds = new Map<string, PostgresHold>();
  /** Receives each hold that was refused. The ledger sets it. */
  refused: (order: HoldOrder, kind: ShortageKind, budgets?: readonly BudgetState[]) => void = () => {};
  /** Sends the ends of counts together with settlements. */
  readonly releases: ReleaseSender;
  readonly #calls: GateCalls;
  readonly #mirror = new LimitMirror();
  readonly #taken = new TakenHere();
  readonly #timers: readonly Timer[];
  readonly #isQuarantined: (accountId: string) => boolean;
  #now = 0;

  constructor({ database, identity, admitTimeoutMs = ADMIT_TIMEOUT_MS, isQuarantined }: PostgresGateParts) {
    this.#isQuarantined = isQuarantined ?? (() => false);
    const listeners: Pick<GateCallsParts, 'decided' | 'observed'> = {
      decided: (op, reply) => this.#decided(op, reply),
      observed: (call, report) => this.#observe(call, report),
    };
    this.#calls = new GateCalls({
      database,
      identity,
      timeoutMs: admitTimeoutMs,
      ...listeners,
      abandoned: (op, reply) => this.#abandoned(op, reply),
      renewed: (node) => this.#renewed(node),
      takeLost: () => ({
        scopes: JSON.stringify(this.#taken.scopes(this.#now)),
        holds: JSON.stringify([...this.holds.values()].map(holdRow)),
      }),
    });
    this.releases = new ReleaseSender({ database, identity, calls: this.#calls, ...listeners });
    // A failed run is repeated at the next one.
    this.#timers = [
      setInterval(() => void database.run('SELECT sweep_limits()').catch(() => {}), SWEEP_EVERY_MS),
      setInterval(() => void this.checkEra().catch(() => {}), ERA_CHECK_EVERY_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  async decide({ credit, limits, versions }: GateOrder): Promise<GateAnswer> {
    const reply = await this.#decide({ kind: 'admit', credit, limits, versions });
    const objection = this.#reportedObjection(reply.verdict, credit, limits);
    return objection ?? this.#admitted(reply, credit, limits);
  }

  async ask({ credit, limits, versions }: GateOrder): Promise<GateForecast> {
    const { verdict } = await this.#decide({ kind: 'ask', credit, limits, versions });
    const objection = this.#reportedObjection(verdict, credit, limits);
    return objection ?? { kind: 'affordable', microcredits: Number(verdict[1]) };
  }

  async take({ limits, versions }: LimitOrder): Promise<LimitCount | Refusal | 'stale'> {
    const op: GateOp = { kind: 'admit', credit: undefined, limits, versions };
    const { verdict, now, node } = await this.#calls.send(op);
    if (verdict[0] === 'stale') return 'stale';
    if (verdict[0] === 'limited') return refusalOf(verdict, limits, this.#mirror);
    return this.#countOf({ credit: undefined, limits, microcredits: 0, node, takenAt: now });
  }

  async read({
    accountId,
    figures,
    key,
    versions,
    count,
  }: GateQuestion): Promise<Refusal | 'stale' | undefined> {
    const limits = {
      accountId,
      figures,
      key,
      network: undefined,
      requests: count,
      tokens: 0,
      isConcurrent: false,
    };
    const { verdict } = await this.#calls.send({ kind: 'read', limits, versions });
    if (verdict[0] === 'stale') return 'stale';
    return verdict[0] === 'limited' ? refusalOf(verdict, limits, this.#mirror) : undefined;
  }

  stateOf(accountId: string, figures: LimitFigures, key?: LimitedKey): LimitState {
    return this.#mirror.stateOf(accountId, figures, key);
  }

  /** Reserves credit without limits. Versions are not checked. */
  async hold(order: HoldOrder): Promise<PostgresHold | Shortage> {
    const reply = await this.#decide({
      kind: 'admit',
      credit: order,
      limits: undefined,
      versions: undefined,
    });
    const objection = this.#reportedObjection(reply.verdict, order, undefined);
    if (objection?.kind === 'shortage') return objection.shortage;
    return this.#admitted(reply, order, undefined).hold;
  }

  /** Returns the amount that a hold would reserve. */
  async afford(order: HoldOrder): Promise<number | Shortage> {
    const { verdict } = await this.#decide({
      kind: 'ask',
      credit: order,
      limits: undefined,
      versions: undefined,
    });
    const objection = this.#objectionOf(verdict, order, undefined);
    return objection?.kind === 'shortage' ? objection.shortage : Number(verdict[1]);
  }

  /** Adopts the hold of a node that has ended. */
  adopt(order: HoldOrder, microcredits: number, node: string): PostgresHold {
    const admission = { credit: order, limits: undefined, microcredits, node, takenAt: 0 };
    const hold = new PostgresHold(admission, this.#countOf(admission));
    hold.isKept = true;
    this.holds.set(order.requestId, hold);
    return hold;
  }

  /**
   * Writes back what this node took, if the database lost its windows. It is called when another node begins
   * a new era.
   */
  checkEra(): Promise<void> {
    return this.#calls.checkEra();
  }

  close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    return this.#calls.close();
  }

  async #decide(op: Extract<GateOp, { kind: 'admit' | 'ask' }> & { credit: HoldOrder }): Promise<GateReply> {
    const { accountId } = op.credit;
    if (this.#isQuarantined(accountId)) throw new AccountQuarantined(accountId);
    return await this.#calls.send(op);
  }

  #admitted({ verdict, now, node }: GateReply, credit: HoldOrder, limits: LimitedRequest | undefined) {
    const admission = { credit, limits, microcredits: Number(verdict[1]), node, takenAt: now };
    const count = this.#countOf(admission);
    const hold = new PostgresHold(admission, count);
    hold.budgets = budgetsOf(verdict);
    this.holds.set(credit.requestId, hold);
    return { kind: 'admitted', hold, count } as const;
  }

  #countOf(admission: Admission): PostgresCount {
    return new PostgresCount(admission, (op, node) =>
      this.#calls.send(op, node).then(
        () => {},
        // The operation stays in the queue until the store answers.
        () => {},
      ),
    );
  }

  #reportedObjection(
    verdict: GateVerdict,
    order: HoldOrder,
    limits: LimitedRequest | undefined,
  ): GateObjection | undefined {
    const objection = this.#objectionOf(verdict, order, limits);
    if (objection?.kind === 'shortage') {
      const { shortage, budgets } = objection.shortage;
      this.refused(order, shortage, budgets);
    }
    return objection;
  }

  #objectionOf(
    verdict: GateVerdict,
    order: HoldOrder,
    limits: LimitedRequest | undefined,
  ): GateObjection | undefined {
    if (verdict[0] === 'ok') return undefined;
    if (verdict[0] === 'stale') return { kind: 'stale' };
    if (verdict[0] === 'limited')
      return { kind: 'limited', refusal: refusalOf(verdict, limits!, this.#mirror) };
    const [, shortage, used, granted, refusing] = verdict;
    const budgets = refusing?.map(stateOfRow);
    const { limitMicrocredits: limit } = order.period;
    const givenMicrocredits = limit === null ? null : limit + granted;
    const { usedMicrocredits, grantedMicrocredits, keyMicrocredits } = this.balances.spendingOf(
      order,
      shortage,
    );
    const payer = { usedMicrocredits, grantedMicrocredits, keyMicrocredits };
    const found = { shortage, usedMicrocredits: used, givenMicrocredits, payer };
    return { kind: 'shortage', shortage: budgets ? { ...found, budgets } : found };
  }

  #decided({ kind, limits, returns }: GateOp, { verdict, now }: GateReply): void {
    if (verdict[0] !== 'ok' || kind === 'ask') return;
    if (limits && kind === 'read') this.#taken.read(limits.accountId, limits.requests, now);
    if (limits && returns) this.#taken.giveBack(limits, returns, now);
    if (limits && kind === 'admit') this.#taken.take(limits, now);
  }

  /** Gives back what an operation has taken, since its caller got an error meanwhile. */
  #abandoned({ kind, limits, credit }: GateOp, { verdict, now, node }: GateReply): void {
    if (verdict[0] !== 'ok' || kind !== 'admit') return;
    const count = this.#countOf({ credit, limits, microcredits: verdict[1], node, takenAt: now });
    count.withdraw();
    void count.voided(verdict[1] > 0 ? credit : undefined);
  }

  #observe({ scopes, balances, months }: GateCallText, { now, s, b, m }: GateReport): void {
    this.#now = now;
    this.#mirror.note(scopes.names, s, now);
    balances.names.forEach((name, index) => {
      const [granted, used] = b[index]!;
      this.balances.noteBalance(name, { granted, used });
    });
    months.names.forEach((name, index) => {
      this.balances.noteKeyMonth(name, m[index]!);
    });
  }

  /** Forgets what an earlier id had. Holds that were adopted under the new one stay. */
  #renewed(node: string): void {
    this.#taken.clearPlaces();
    for (const [requestId, hold] of this.holds) if (hold.node !== node) this.holds.delete(requestId);
  }
}

/**
 * Returns the refusal of a limit. The database returns the wait.
 * The report of the same call shows how full the windows of a minute were.
 */
function refusalOf(
  [, kind, waitMs]: Extract<GateVerdict, ['limited', ...unknown[]]>,
  limits: LimitedRequest,
  mirror: LimitMirror,
): Refusal {
  const state = mirror.stateOf(limits.accountId, limits.figures);
  const window = kind === 'requests' || kind === 'tokens' ? state[kind] : undefined;
  const used = window && window.limit - window.remaining;
  return refusalOfFault({ kind, waitMs, used }, limits);
}

const budgetsOf = (verdict: GateVerdict): readonly CounterRow[] | undefined =>
  verdict[0] === 'ok' ? (verdict[2] ?? undefined) : undefined;
