import { createHmac } from 'node:crypto';
import type { Json } from '../../support/call.ts';

type Item = Record<string, Json>;
type Answered = { status: number; body: Json };

const now = (): number => Math.floor(Date.now() / 1_000);

/** Reads `a[b][0]=c` into nested objects. Lists become objects with numbers as names. */
function fieldsOf(form: URLSearchParams): Json {
  const fields: Json = {};
  for (const [path, value] of form) {
    const names = path.replaceAll(']', '').split('[');
    let place = fields;
    for (const name of names.slice(0, -1)) place = place[name] ??= {};
    place[names.at(-1)!] = value;
  }
  return fields;
}

const declined = (payment: Item): Answered => ({
  status: 402,
  body: {
    error: { message: 'Your card was declined.', code: 'card_declined', payment_intent: payment },
  },
});

/** A stand-in for Stripe: its objects, its idempotency keys and the signatures of its webhook. */
export function startFakeStripe(secret = 'whsec_test') {
  const kept = new Map<string, Item>();
  const keys = new Map<string, Answered>();
  const requests: { method: string; path: string; fields: Json; key: string | null }[] = [];
  const state = {
    card: 'ok' as 'ok' | 'declined' | 'none',
    isAway: false,
    losesAnswers: false,
    isStuck: false,
  };
  let last = 0;

  const add = <Kind extends Item>(prefix: string, item: Kind): Kind & { id: string } => {
    last += 1;
    const made = { id: `${prefix}_${last}_${secret.length}`, created: now(), ...item };
    kept.set(made.id, made);
    return made;
  };
  const list = (prefix: string, fits: (item: Item) => boolean): Json => ({
    data: [...kept.values()].filter((item) => item.id.startsWith(prefix) && fits(item)).reverse(),
    has_more: false,
  });

  const payment = (fields: Json, status: string): Item =>
    add('pi', {
      status,
      amount: Number(fields.amount),
      currency: 'usd',
      customer: fields.customer ?? null,
      amount_received: status === 'succeeded' ? Number(fields.amount) : 0,
      metadata: fields.metadata ?? {},
    });

  const posts: Record<string, (fields: Json) => Answered> = {
    '/v1/customers': (fields) => ({ status: 200, body: add('cus', { metadata: fields.metadata }) }),
    '/v1/checkout/sessions': (fields) => {
      const session: Item = add('cs', {
        mode: fields.mode,
        status: 'open',
        payment_status: 'unpaid',
        customer: fields.customer,
        payment_intent: null,
        subscription: null,
        metadata: fields.metadata ?? {},
        fields,
      });
      session.url = `https://checkout.stripe.test/${session.id}`;
      return { status: 200, body: session };
    },
    '/v1/billing_portal/sessions': (fields) => ({
      status: 200,
      body: { url: `https://billing.stripe.test/${fields.customer}` },
    }),
    '/v1/payment_intents': (fields) => {
      if (state.card !== 'declined') return { status: 200, body: payment(fields, 'succeeded') };
      return declined(payment(fields, 'requires_payment_method'));
    },
  };

  function change(path: string, fields: Json): Answered {
    const [, , kind, id, verb] = path.split('/');
    const item = kept.get(id!);
    if (!item) return missing();
    if (kind === 'payment_intents' && verb === 'cancel') item.status = 'canceled';
    if (kind === 'subscriptions') {
      if (fields.items) item.items = { data: [{ id: 'si_1', price: { id: fields.items[0].price } }] };
      if (fields.cancel_at_period_end !== undefined)
        item.cancel_at_period_end = fields.cancel_at_period_end === 'true';
    }
    return { status: 200, body: item };
  }

  function read(path: string, query: URLSearchParams): Answered {
    const [, , kind, id, of] = path.split('/');
    if (of === 'payment_methods') {
      const card = { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2040 };
      const data = state.card === 'none' ? [] : [{ id: 'pm_1', type: 'card', card }];
      return { status: 200, body: { data, has_more: false } };
    }
    const customer = query.get('customer');
    if (kind === 'refunds' && !id)
      return { status: 200, body: list('re', (item) => item.charge === query.get('charge')) };
    if (kind === 'invoices' && !id)
      return { status: 200, body: list('in', (one) => one.customer === customer) };
    if (kind === 'payment_intents' && !id)
      return { status: 200, body: list('pi', (one) => one.customer === customer) };
    const item = kept.get(kind === 'checkout' ? of! : id!);
    return item ? { status: 200, body: item } : missing();
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path, searchParams } = new URL(request.url);
      if (state.isAway) return new Response('{}', { status: 503 });
      if (request.headers.get('authorization') !== 'Bearer sk_test_hidden')
        return Response.json({ error: { message: 'wrong key' } }, { status: 401 });
      if (request.method === 'GET') {
        const { status, body } = read(path, searchParams);
        return Response.json(body, { status });
      }
      const fields = fieldsOf(new URLSearchParams(await request.text()));
      const key = request.headers.get('idempotency-key');
      requests.push({ method: 'POST', path, fields, key });
      const answer = (key !== null && keys.get(key)) || (posts[path]?.(fields) ?? change(path, fields));
      if (key !== null) keys.set(key, answer);
      if (state.isStuck) await new Promise(() => {});
      if (state.losesAnswers) return new Response('lost', { status: 502 });
      return Response.json(answer.body, { status: answer.status });
    },
  });

  const sign = (body: string, { at = now(), by = secret } = {}): string =>
    `t=${at},v1=${createHmac('sha256', by).update(`${at}.${body}`).digest('hex')}`;

  return {
    url: server.url.origin,
    secret,
    kept,
    requests,
    state,
    add,
    sign,
    /** Pays on the page of a checkout, as the payer does. */
    pay(checkoutUrl: string): Item {
      const session = kept.get(checkoutUrl.split('/').at(-1)!)!;
      const { fields } = session;
      Object.assign(session, { status: 'complete', payment_status: 'paid' });
      if (session.mode === 'subscription') {
        const start = now();
        session.subscription = add('sub', {
          status: 'active',
          customer: session.customer,
          cancel_at_period_end: false,
          current_period_start: start,
          current_period_end: start + 30 * 86_400,
          metadata: fields.subscription_data.metadata,
          items: { data: [{ id: 'si_1', price: { id: fields.line_items[0].price } }] },
        }).id;
        return session;
      }
      const amount = fields.line_items[0].price_data.unit_amount;
      const paid = { amount, customer: session.customer, metadata: fields.payment_intent_data.metadata };
      session.payment_intent = payment(paid, 'succeeded').id;
      return session;
    },
    /** Makes a message about an object, in the form that the webhook gets. */
    event(type: string, objectId: string, id = `evt_${++last}`) {
      return { id, type, data: { object: { id: objectId } } };
    },
    /** Delivers a message to a server. */
    deliver(to: string, event: object, signed?: { at?: number; by?: string }): Promise<Response> {
      const body = JSON.stringify(event);
      const headers = { 'stripe-signature': sign(body, signed), 'content-type': 'application/json' };
      return fetch(`${to}/stripe/webhook`, { method: 'POST', headers, body });
    },
    stop: () => server.stop(true),
  };
}

const missing = (): Answered => ({ status: 404, body: { error: { message: 'No such object' } } });

export type FakeStripe = ReturnType<typeof startFakeStripe>;

/** Returns the settings of a server that uses the stand-in. */
export const stripeSettings = ({ url, secret }: Pick<FakeStripe, 'url' | 'secret'>) => ({
  secret_key: 'sk_test_hidden',
  webhook_secrets: ['whsec_old', secret],
  api_base: url,
  prices: { starter: 'price_starter', pro: 'price_pro', max: 'price_max', scale: 'price_scale' },
});
