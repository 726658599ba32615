import {
  type AccountName,
  type AccountSpec,
  type Accounts,
  accountNames,
  accountSpecs,
} from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD, MONTHLY_CREDITS } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Simulation } from '../kernel/simulation.ts';
import { Call, type CallRecord } from '../network/call.ts';
import type { LimitChange } from './limit-change.ts';
import { type Movement, type MovementOrder, newMovement } from './movement.ts';
import type { OperatorRequest } from './operator-request.ts';
import { Stripe } from './stripe.ts';

export type OperatorsParts = {
  simulation: Simulation;
  accounts: Accounts;
  adminToken: string;
  /** The ports of the nodes. Each call goes to one of them. */
  ports: readonly number[];
};

/** A limit of an account: the cap of its key, its budget, or its monthly credits. */
export type Limited = 'cap' | 'budget' | 'credits';

const MAX_ATTEMPTS = 60;
const PAUSE_MS = 1_000;
const MICROCREDITS_PER_CREDIT = 1_000_000;
const BEFORE = Number.NEGATIVE_INFINITY;

/** Operators that move money and change limits through the admin API while requests run. */
export class Operators {
  readonly movements: Movement[] = [];
  /** The times in which a provider was drained again and again. */
  readonly flaps: { from: number; until: number }[] = [];
  /** The changes of each limit, beginning with its creation. */
  readonly limits: ReadonlyMap<`${Limited} ${AccountName}`, LimitChange[]>;
  readonly simulation: Simulation;
  readonly accounts: Accounts;
  readonly random: Draws;
  readonly stripe = new Stripe(this);
  readonly #parts: OperatorsParts;
  #count = 0;

  constructor(parts: OperatorsParts) {
    this.#parts = parts;
    this.simulation = parts.simulation;
    this.accounts = parts.accounts;
    this.random = parts.simulation.draws('operators');
    this.limits = new Map(accountNames.flatMap(limitsOf));
  }

  /** Returns an amount that no other movement has. */
  amountNear(microcredits: number): number {
    return Math.sign(microcredits) * (Math.floor(Math.abs(microcredits) / 1_000) * 1_000 + ++this.#count);
  }

  /** Moves an amount. With a key it repeats the request until it has an answer, and sometimes once more. */
  async move(
    order: MovementOrder,
    { isKeyed = true, isTwice = false, leavesAfterMs }: Manners = {},
  ): Promise<Movement> {
    const { account, kind, balance, microcredits } = order;
    const movement = newMovement(order, this.simulation.now);
    this.movements.push(movement);
    const credits = microcredits / MICROCREDITS_PER_CREDIT;
    const request: OperatorRequest = {
      method: 'POST',
      path: `/admin/v1/accounts/${this.accounts[account].id}/${kind}s`,
      body: bodies[kind]({ credits, balance, usd: microcredits / MICROCREDITS_PER_USD }),
      ...(isKeyed && { key: `movement-${microcredits}` }),
    };
    const ask = async (): Promise<void> => {
      const { status } = isKeyed
        ? await this.insist(request, leavesAfterMs)
        : await this.ask(request, leavesAfterMs);
      if (status === 201) movement.confirmedAt ??= this.simulation.now;
      if (status !== undefined && status >= 400 && status < 500) movement.isRefused = true;
    };
    await Promise.all(isTwice ? [ask(), ask()] : [ask()]);
    return movement;
  }

  /** Sets a limit, and notes the time of the answer. */
  async limit(
    of: Limited,
    account: AccountName,
    microcredits: number,
    request: OperatorRequest,
  ): Promise<CallRecord> {
    const change: LimitChange = { microcredits, sentAt: this.simulation.now, answeredAt: undefined };
    this.limits.get(`${of} ${account}`)!.push(change);
    const record = await this.insist(request);
    if (record.status === 200) change.answeredAt = this.simulation.now;
    return record;
  }

  /** Asks until an answer comes. The first request can be given up early. */
  async insist(request: OperatorRequest, leavesAfterMs?: number): Promise<CallRecord> {
    for (let attempt = 1; ; attempt++) {
      const record = await this.ask(request, attempt === 1 ? leavesAfterMs : undefined);
      const isBusy = request.method === 'PATCH' && record.status === 409;
      if ((isDecided(record) && !isBusy) || attempt === MAX_ATTEMPTS) return record;
      await this.simulation.sleep(record.ending === 'left' ? 0 : PAUSE_MS, 'operator asks again');
    }
  }

  ask({ key, headers: own, ...request }: OperatorRequest, leavesAfterMs?: number): Promise<CallRecord> {
    const { simulation, adminToken, ports } = this.#parts;
    const headers = {
      authorization: `Bearer ${adminToken}`,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...own,
    };
    const port = ports.length === 1 ? ports[0]! : this.random.of(ports);
    return new Call(
      simulation,
      { ...request, name: JSON.stringify(request.body), headers, leavesAfterMs },
      port,
    ).done;
  }
}

/** Reports whether an answer came whole and is no server error. */
const isDecided = ({ status, ending }: CallRecord): boolean =>
  ending === 'whole' && status !== undefined && status < 500;

/** The behaviour of an operator at a movement. */
type Manners = {
  /** True if the requests have an idempotency key. */
  isKeyed?: boolean;
  /** True if two requests for it are sent at once. */
  isTwice?: boolean;
  leavesAfterMs?: number | undefined;
};

type Amounts = { credits: number; usd: number; balance: Movement['balance'] };
const bodies: Record<Movement['kind'], (amounts: Amounts) => object> = {
  grant: ({ credits }) => ({ credits, reason: 'a grant' }),
  purchase: ({ usd }) => ({ usd }),
  adjustment: ({ credits, balance }) => ({ credits, balance, reason: 'an adjustment' }),
};

function limitsOf(account: AccountName): [`${Limited} ${AccountName}`, LimitChange[]][] {
  const { capUsd, budgetUsd, plan }: AccountSpec = accountSpecs[account];
  const changeTo = (microcredits: number): LimitChange[] => [
    { microcredits, sentAt: BEFORE, answeredAt: BEFORE },
  ];
  return [
    ...(capUsd === undefined ? [] : [[`cap ${account}`, changeTo(capUsd * MICROCREDITS_PER_USD)] as const]),
    ...(budgetUsd === undefined
      ? []
      : [[`budget ${account}`, changeTo(budgetUsd * MICROCREDITS_PER_USD)] as const]),
    ...(plan === 'pro'
      ? [[`credits ${account}`, changeTo(MONTHLY_CREDITS * MICROCREDITS_PER_CREDIT)] as const]
      : []),
  ].map(([name, changes]) => [name, changes]);
}
