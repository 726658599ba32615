import { createHmac } from 'node:crypto';
import type { Accounts } from '../gateway/accounts.ts';
import { WEBHOOK_SECRET } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { CallRecord } from '../network/call.ts';
import type { FetchReply, FetchRequest, FetchServer } from '../network/fetch.ts';
import { type Movement, newMovement } from './movement.ts';
import type { OperatorRequest } from './operator-request.ts';

const MICROCREDITS_PER_CENT = 5_000_000;
const MAX_ATTEMPTS = 60;
const MAX_ANSWER_MS = 500;
const FAULTS = 0.1;
/** After more faults, the pause before the next try may exceed the time that a run has to end. */
const MAX_FAULTS = 6;
/** The share of refunds that fail, and of disputes that are won, after their entries are written. */
const UNDONE = 0.4;
const MAX_LOOKS = 60;

/** The means of the operators that Stripe shares. */
type StripeParts = {
  simulation: Simulation;
  random: Draws;
  accounts: Accounts;
  movements: Movement[];
  ask(request: OperatorRequest, leavesAfterMs?: number): Promise<CallRecord>;
};

type Payment = {
  id: string;
  cents: number;
  refund: string | undefined;
  dispute: string | undefined;
  /** The movement that a refund, a dispute or both cause. */
  reversal: Movement | undefined;
  /** True if its refund has failed or its dispute was won. */
  isUndone: boolean;
};

/** Simulates Stripe, with payments, refunds and disputes. It sends each message until it is taken. */
export class Stripe implements FetchServer {
  readonly isDown = false;
  readonly #operators: StripeParts;
  readonly #payments: Payment[] = [];
  #faults = 0;

  constructor(operators: StripeParts) {
    this.#operators = operators;
  }

  answer({ url }: FetchRequest): FetchReply | 'lost' {
    const { random } = this.#operators;
    const reply = (status: number, body: unknown): FetchReply => ({
      status,
      body: JSON.stringify(body),
      afterMs: random.skewed(1, MAX_ANSWER_MS),
    });
    if (random.chance(FAULTS) && ++this.#faults <= MAX_FAULTS)
      return random.chance(0.5) ? 'lost' : reply(500, {});
    const id = url.pathname.split('/').at(-1)!;
    const payment = this.#payments.find((one) => [one.id, one.refund, one.dispute].includes(id));
    if (!payment) return reply(404, {});
    if (payment.id === id) return reply(200, this.#paymentView(payment));
    return reply(200, payment.refund === id ? refundView(payment) : disputeView(payment));
  }

  /** Receives a payment. The amount of each payment is even, and that of each partial refund is odd. */
  async pay(): Promise<void> {
    const cents = 2 * (this.#payments.length + 1);
    const none = { refund: undefined, dispute: undefined, reversal: undefined, isUndone: false };
    const payment: Payment = { id: `pi_${cents}`, cents, ...none };
    this.#payments.push(payment);
    const movement = this.#move('purchase', cents);
    await this.#report(movement, { type: 'payment_intent.succeeded', objectId: payment.id });
  }

  /** Refunds a payment as a whole or mostly. */
  async refund(): Promise<void> {
    const payment = this.#payments.find(({ refund, isUndone }) => refund === undefined && !isUndone);
    if (!payment) return this.pay();
    const isWhole = payment.dispute !== undefined || this.#operators.random.chance(0.5);
    const cents = payment.cents - (isWhole ? 0 : 1);
    await this.#refund(payment, cents);
    if (payment.dispute === undefined) await this.#undo(payment, cents);
  }

  /** Loses a payment to the bank of its payer. A refund of the same money does not take it twice. */
  async dispute(): Promise<void> {
    const { random } = this.#operators;
    const payment = this.#payments.find(
      ({ cents, refund, dispute, isUndone }) =>
        !dispute && !isUndone && (refund === undefined || refund === `re_${cents}`),
    );
    if (!payment) return this.pay();
    payment.dispute = `dp_${payment.cents}`;
    const isRefunded = payment.refund === undefined && random.chance(0.5);
    payment.reversal ??= this.#move('adjustment', -payment.cents);
    await Promise.all([
      this.#report(payment.reversal, { type: 'charge.dispute.created', objectId: payment.dispute }),
      ...(isRefunded ? [this.#refund(payment, payment.cents)] : []),
    ]);
    if (payment.refund === undefined) await this.#undo(payment, payment.cents);
  }

  /**
   * Lets a refund fail or a dispute be won sometimes, once the ledger has it. The account gets its money
   * back.
   */
  async #undo(payment: Payment, cents: number): Promise<void> {
    const { random } = this.#operators;
    const { refund, dispute } = payment;
    if (!random.chance(UNDONE) || !(await this.#isTaken(payment))) return;
    payment.isUndone = true;
    const type = dispute === undefined ? 'refund.failed' : 'charge.dispute.closed';
    await this.#report(this.#move('adjustment', cents), { type, objectId: (dispute ?? refund)! });
  }

  /** Waits until the ledger has the entry of a refund or dispute. */
  async #isTaken({ id }: Payment): Promise<boolean> {
    const { accounts, simulation, random } = this.#operators;
    const path = `/admin/v1/accounts/${accounts.paying.id}/ledger?limit=100`;
    for (let look = 1; look <= MAX_LOOKS; look++) {
      const { status, received } = await this.#operators.ask({ method: 'GET', path });
      if (status === 200 && received.includes(`of payment ${id}`)) return true;
      await simulation.sleep(random.between(200, 1_000), 'Stripe looks again');
    }
    return false;
  }

  async #refund(payment: Payment, cents: number): Promise<void> {
    payment.refund = `re_${cents}`;
    payment.reversal ??= this.#move('adjustment', -cents);
    await this.#report(payment.reversal, { type: 'refund.created', objectId: payment.refund });
  }

  #move(kind: Movement['kind'], cents: number): Movement {
    const { simulation, movements } = this.#operators;
    const movement = newMovement(
      { account: 'paying', kind, balance: 'purchased', microcredits: cents * MICROCREDITS_PER_CENT },
      simulation.now,
      { mayOwe: cents < 0 },
    );
    movements.push(movement);
    return movement;
  }

  /** Sends a message until it is accepted. Some messages are sent twice. */
  async #report(movement: Movement, { type, objectId }: { type: string; objectId: string }): Promise<void> {
    const { simulation, random } = this.#operators;
    const send = async (event: string): Promise<void> => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const body = { id: `evt_${event}`, type, data: { object: { id: objectId } } };
        const leavesAfterMs = random.chance(0.2) ? random.skewed(1, 100) : undefined;
        const { status, ending } = await this.#operators.ask(
          { method: 'POST', path: '/stripe/webhook', body, headers: this.#sign(body) },
          leavesAfterMs,
        );
        const isTaken = status === 200 && ending === 'whole';
        if (isTaken) movement.isOwed = true;
        if (isTaken && random.chance(0.8)) return;
        await simulation.sleep(random.skewed(1, 3_000), 'Stripe sends again');
      }
    };
    const isTwice = random.chance(0.4);
    const name = `${type}_${objectId}`;
    await Promise.all([send(`${name}_1`), ...(isTwice ? [send(`${name}_2`)] : [])]);
  }

  #sign(body: unknown): Record<string, string> {
    const time = Math.floor(this.#operators.simulation.wallTime() / 1_000);
    const text = `${time}.${JSON.stringify(body)}`;
    return {
      'stripe-signature': `t=${time},v1=${createHmac('sha256', WEBHOOK_SECRET).update(text).digest('hex')}`,
    };
  }

  #paymentView({ id, cents }: Payment): object {
    const metadata = { account_id: this.#operators.accounts.paying.id, credit_cents: String(cents) };
    const paid = { amount: cents, amount_received: cents, currency: 'usd', customer: null };
    return { id, status: 'succeeded', created: 1_750_000_000, metadata, ...paid };
  }
}

const disputeView = ({ id, cents, dispute, isUndone }: Payment): object => ({
  id: dispute,
  status: isUndone ? 'won' : 'lost',
  amount: cents,
  currency: 'usd',
  payment_intent: id,
});

const refundView = ({ id, refund, isUndone }: Payment): object => ({
  id: refund,
  status: isUndone ? 'failed' : 'succeeded',
  amount: Number(refund!.slice('re_'.length)),
  currency: 'usd',
  payment_intent: id,
});
