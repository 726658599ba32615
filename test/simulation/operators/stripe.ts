import { createHmac } from 'node:crypto';
import type { Accounts } from '../gateway/accounts.ts';
import { WEBHOOK_SECRET } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { CallRecord } from '../network/call.ts';
import type { Fetched, FetchReply, FetchServer } from '../network/fetch.ts';
import type { Movement } from './movement.ts';

const MICROCREDITS_PER_CENT = 5_000_000;
const MAX_ATTEMPTS = 60;
const MAX_ANSWER_MS = 500;
const FAULTS = 0.1;
/** After more faults, the pause before the next try may exceed the time that a run has to end. */
const MAX_FAULTS = 6;

/** The means of the operators that Stripe shares. */
type StripeParts = {
  simulation: Simulation;
  random: Draws;
  accounts: Accounts;
  movements: Movement[];
  ask(asking: Message, leavesAfterMs?: number): Promise<CallRecord>;
};
type Message = { method: string; path: string; body: unknown; headers: Record<string, string> };

type Payment = { id: string; cents: number; refund: string | undefined };

/** Simulates Stripe: it has payments and refunds, and sends its messages until they are taken. */
export class Stripe implements FetchServer {
  readonly isDown = false;
  readonly #operators: StripeParts;
  readonly #payments: Payment[] = [];
  #faults = 0;

  constructor(operators: StripeParts) {
    this.#operators = operators;
  }

  answer({ url }: Fetched): FetchReply | 'lost' {
    const { random } = this.#operators;
    const reply = (status: number, body: unknown): FetchReply => ({
      status,
      body: JSON.stringify(body),
      afterMs: random.skewed(1, MAX_ANSWER_MS),
    });
    if (random.chance(FAULTS) && ++this.#faults <= MAX_FAULTS)
      return random.chance(0.5) ? 'lost' : reply(500, {});
    const id = url.pathname.split('/').at(-1)!;
    const payment = this.#payments.find((one) => one.id === id || one.refund === id);
    if (!payment) return reply(404, {});
    return reply(200, payment.id === id ? this.#paymentView(payment) : refundView(payment));
  }

  /** Receives a payment. The amount of each payment is even, and that of each partial refund is odd. */
  async pay(): Promise<void> {
    const cents = 2 * (this.#payments.length + 1);
    const payment: Payment = { id: `pi_${cents}`, cents, refund: undefined };
    this.#payments.push(payment);
    await this.#report('purchase', cents, { type: 'payment_intent.succeeded', objectId: payment.id });
  }

  /** Gives back a payment or the most of it. */
  async refund(): Promise<void> {
    const { random } = this.#operators;
    const payment = this.#payments.find(({ refund }) => refund === undefined);
    if (!payment) return this.pay();
    const cents = payment.cents - random.below(2);
    payment.refund = `re_${cents}`;
    await this.#report('adjustment', -cents, { type: 'refund.created', objectId: payment.refund });
  }

  /** Sends a message until it is taken, and sometimes another one about the same. */
  async #report(
    kind: Movement['kind'],
    cents: number,
    { type, objectId }: { type: string; objectId: string },
  ): Promise<void> {
    const { simulation, movements, random } = this.#operators;
    const movement: Movement = {
      account: 'paying',
      kind,
      balance: 'purchased',
      microcredits: cents * MICROCREDITS_PER_CENT,
      mayOwe: cents < 0,
      sentAt: simulation.now,
      confirmedAt: undefined,
      isOwed: false,
      isRefused: false,
    };
    movements.push(movement);
    const send = async (event: string): Promise<void> => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const body = { id: `evt_${event}`, type, data: { object: { id: objectId } } };
        const leavesAfterMs = random.chance(0.2) ? random.skewed(1, 100) : undefined;
        const { status, ending } = await this.#operators.ask(
          { method: 'POST', path: '/stripe/webhook', body, headers: this.#sign(body) },
          leavesAfterMs,
        );
        if (status === 200 && ending === 'whole') movement.isOwed = true;
        if (movement.isOwed && random.chance(0.8)) return;
        await simulation.sleep(random.skewed(1, 3_000), 'Stripe sends again');
      }
    };
    const isTwice = random.chance(0.4);
    await Promise.all([send(`${objectId}_1`), ...(isTwice ? [send(`${objectId}_2`)] : [])]);
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

const refundView = ({ id, refund }: Payment): object => ({
  id: refund,
  status: 'succeeded',
  amount: Number(refund!.slice('re_'.length)),
  currency: 'usd',
  payment_intent: id,
});
