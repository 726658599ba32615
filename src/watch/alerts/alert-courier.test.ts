import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { WebhookRow } from '../../settings/config/alerts-schema.ts';
import type { Alert, AlertDelivery } from './alert.ts';
import { AlertCourier } from './alert-courier.ts';
import { webhookIdOf } from './receiver.ts';
import type { AlertEnvelope, SentAlert } from './send-alert.ts';

const OK: SentAlert = { ok: true, status: 200, error: null };
const FAILED: SentAlert = { ok: false, status: 500, error: 'The webhook answered with status 500.' };

const rowOf = (url: string): WebhookRow => ({ url, secret: 'whsec', events: null });

function setUp({
  answers = [OK],
  rows = [rowOf('http://a.example/x')],
  onSend = async () => {},
}: {
  answers?: SentAlert[];
  rows?: WebhookRow[];
  onSend?: (stopped: AbortSignal) => Promise<void>;
} = {}) {
  const holds = (_alertId: string): boolean | Promise<boolean> => true;
  const state = { now: 1_000, rows, answers, holds };
  const sent: AlertEnvelope[] = [];
  const saved: AlertDelivery[] = [];
  const reported: string[] = [];
  const counts: string[] = [];
  const courier = new AlertCourier({
    store: {
      saveAlertDelivery: async (delivery) => void saved.push(delivery),
      holdsAlertDelivery: ({ alertId }) => state.holds(alertId),
    },
    webhooks: () => state.rows,
    organizationReceiver: () => undefined,
    header: () => 'x-svc-signature',
    send: async (envelope, stopped) => {
      sent.push(envelope);
      await onSend(stopped);
      return state.answers.length > 1 ? state.answers.shift()! : state.answers[0]!;
    },
    now: () => state.now,
    signedAt: () => state.now,
    random: () => 0,
    report: (_, event) => void reported.push(event),
    count: (outcome) => void counts.push(outcome),
  });
  const make = (id: string, url = rows[0]!.url) => {
    const alert: Alert = { id, at: state.now, event: 'cap_80', body: `{"id":"${id}"}` };
    const delivery: AlertDelivery = {
      alertId: id,
      webhook: webhookIdOf(rowOf(url)),
      host: 'http://a.example',
      state: 'waiting',
      attempts: 0,
      nextAt: state.now,
      endedAt: null,
      status: null,
      error: null,
    };
    return { alert, delivery };
  };
  const take = (id: string, url?: string) => {
    const { alert, delivery } = make(id, url);
    return courier.take(alert, delivery);
  };
  /** Moves the clock and waits until the courier has made this many attempts. */
  const pass = async (ms: number, attempts: number) => {
    state.now += ms;
    courier.look();
    await waitFor(() => sent.length === attempts && saved.length >= attempts);
  };
  return { state, courier, sent, saved, reported, counts, take, make, pass };
}

test('saves and counts the one delivery of an alert', async () => {
  const { courier, take, sent, saved, counts } = setUp();
  await take('alrt_1');
  await waitFor(() => saved.length === 1);
  expect(sent.map(({ body }) => body)).toEqual(['{"id":"alrt_1"}']);
  expect(saved[0]).toMatchObject({
    state: 'delivered',
    attempts: 1,
    status: 200,
    error: null,
    endedAt: 1_000,
  });
  expect({ counts, waiting: courier.waiting }).toEqual({ counts: ['delivered'], waiting: 0 });
  await courier.close();
});

test('repeats a failed delivery with the same body, at growing distances, until it is accepted', async () => {
  const { state, courier, take, pass, sent, saved, counts } = setUp({
    answers: [FAILED, FAILED, FAILED, OK],
  });
  await take('alrt_1');
  await waitFor(() => saved.length === 1);
  expect(saved[0]).toMatchObject({ state: 'waiting', attempts: 1, nextAt: 1_500, error: FAILED.error });
  await pass(499, 1); // too early
  await pass(1, 2);
  expect(saved[1]!.nextAt - state.now).toBe(1_000);
  await pass(1_000, 3);
  expect(saved[2]!.nextAt - state.now).toBe(2_000);
  await pass(2_000, 4);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  expect(saved[3]).toMatchObject({ state: 'delivered', attempts: 4, error: null });
  expect(counts).toEqual(['failed', 'failed', 'failed', 'delivered']);
  await courier.close();
});

test('makes one attempt at a time at a webhook that fails, however many alerts wait', async () => {
  const { courier, take, pass, sent } = setUp({ answers: [FAILED] });
  await take('alrt_1');
  void take('alrt_2');
  void take('alrt_3');
  await pass(500, 2);
  await pass(999, 2);
  await pass(1, 3);
  expect(sent.map(({ body }) => body)).toEqual(['{"id":"alrt_1"}', '{"id":"alrt_2"}', '{"id":"alrt_3"}']);
  expect(courier.waiting).toBe(3);
  await courier.close();
});

test('waits as long as the webhook asks for', async () => {
  const { courier, take, pass } = setUp({ answers: [{ ...FAILED, status: 429, retryAfterMs: 7_000 }, OK] });
  await take('alrt_1');
  await pass(6_999, 1);
  await pass(1, 2);
  await courier.close();
});

test('does not wait for a clock that was set back', async () => {
  const { courier, take, pass } = setUp({ answers: [FAILED, OK] });
  await take('alrt_1');
  await pass(-HOUR_MS, 2);
  await courier.close();
});

test('drops an alert after a day without success or if the webhook is gone', async () => {
  const { courier, take, pass, saved, reported, counts } = setUp({
    answers: [FAILED, FAILED, { ...FAILED, status: 410 }],
  });
  await take('alrt_1');
  await pass(24 * HOUR_MS, 2);
  expect(saved[1]).toMatchObject({ state: 'dropped', attempts: 2, endedAt: 1_000 + 24 * HOUR_MS });
  expect(saved[1]!.error).toStartWith('The alert was not accepted within 24 hours.');
  void take('alrt_2');
  await pass(60_000, 3);
  expect(saved[2]).toMatchObject({ state: 'dropped', status: 410 });
  expect(reported).toEqual(['alert-not-delivered', 'alert-dropped', 'alert-dropped']);
  expect({ counts, waiting: courier.waiting }).toEqual({
    counts: ['failed', 'dropped', 'dropped'],
    waiting: 0,
  });
  await courier.close();
});

test('a reload drops the deliveries of removed webhooks and tries the others at once', async () => {
  const rows = [rowOf('http://a.example/x'), rowOf('http://b.example/y')];
  const { state, courier, take, sent, saved } = setUp({ answers: [FAILED], rows });
  await Promise.all([take('alrt_1'), take('alrt_1', rows[1]!.url)]);
  state.rows = [{ ...rows[1]!, secret: 'another' }];
  state.answers = [OK];
  state.now += 500; // the retry is due
  await courier.follow();
  await waitFor(() => courier.waiting === 0 && saved.length === 4);
  const states = Object.fromEntries(saved.map((delivery) => [delivery.webhook, delivery.state]));
  expect(states).toEqual({ [webhookIdOf(rows[0]!)]: 'dropped', [webhookIdOf(rows[1]!)]: 'delivered' });
  expect(sent.at(-1)!.webhook.secret).toBe('another');
  await courier.close();
});

test('forgets, logs and counts deliveries that the store has removed', async () => {
  const { courier, take, make, reported, counts } = setUp({ answers: [FAILED] });
  await take('alrt_1');
  courier.forget([make('alrt_1').delivery, make('alrt_unknown').delivery]);
  expect({ waiting: courier.waiting, counts, reported }).toEqual({
    waiting: 0,
    counts: ['failed', 'dropped'],
    reported: ['alert-not-delivered', 'alert-dropped'],
  });
  await courier.close();
});

test('passes over a delivery that another process holds', async () => {
  const { state, courier, take, sent, saved, counts } = setUp();
  state.holds = async (alertId) => alertId !== 'alrt_1';
  await Promise.all([take('alrt_1'), take('alrt_2')]);
  await waitFor(() => saved.length === 1);
  expect(sent.map(({ body }) => body)).toEqual(['{"id":"alrt_2"}']);
  expect({ counts, waiting: courier.waiting }).toEqual({ counts: ['delivered'], waiting: 0 });
  await courier.close();
});

test('delivers an alert although the store is away', async () => {
  const { state, courier, take, sent } = setUp();
  state.holds = () => Promise.reject(new Error('the store is away'));
  await take('alrt_1');
  expect(sent.length).toBe(1);
  await courier.close();
});

test('takes a delivery once', async () => {
  const { courier, take, sent } = setUp({ answers: [FAILED] });
  await take('alrt_1');
  void take('alrt_1');
  expect({ waiting: courier.waiting, length: sent.length }).toEqual({ waiting: 1, length: 1 });
  await courier.close();
});

test('a stop leaves the attempt that is under way to the next start', async () => {
  const { courier, sent, saved, make } = setUp({
    onSend: (stopped) =>
      new Promise((_, reject) => stopped.addEventListener('abort', () => reject(stopped.reason))),
  });
  const { alert, delivery } = make('alrt_1');
  void courier.take(alert, delivery);
  await waitFor(() => sent.length === 1);
  await courier.close();
  expect({ saved, state: delivery.state, attempts: delivery.attempts }).toEqual({
    saved: [],
    state: 'waiting',
    attempts: 0,
  });
});

test('an alert that is due later waits, while others are sent', async () => {
  const { courier, state, sent, make } = setUp();
  const late = make('late');
  late.delivery.nextAt = state.now + HOUR_MS;
  void courier.take(late.alert, late.delivery);
  const soon = make('soon');
  await courier.take(soon.alert, soon.delivery);
  expect(sent.map(({ body }) => body)).toEqual([soon.alert.body]);
  state.now += HOUR_MS;
  courier.look();
  await waitFor(() => sent.length === 2);
  await courier.close();
});
