import { afterAll, beforeEach, expect, test } from 'bun:test';
import { Database } from '../../src/store/postgres/database.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import type { TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

const MODEL = 'shared';
const SLOTS = 4;
const upstream = startRecordingUpstream();
afterAll(() => upstream.stop());
const {
  database: url,
  nodes,
  first,
  spread,
} = await startNodes(3, {
  simulator: { mode: 'off' },
  limits: { queue_wait_s: 30 },
  plans: wideLimits,
  providers: [{ id: 'shared', wire: 'openai-chat', base_url: upstream.url, max_concurrent: SLOTS }],
  catalog: {
    default: false,
    models: [sampleModel(MODEL, { delivery: 'exact', routes: [{ provider: 'shared', model: MODEL }] })],
  },
});
const [one, two, three] = nodes as [TestServer, TestServer, TestServer];
const paid = await first.createKey('pro');
const free = await first.createKey('free');
const database = new Database({ url, maxConnections: 1 });
afterAll(() => database.close());

/** The current and the highest number of requests at the upstream. */
const load = { now: 0, most: 0 };
const order: string[] = [];
const held: (() => void)[] = [];
const hold = () =>
  upstream.answer(MODEL, async (request) => {
    load.most = Math.max(load.most, ++load.now);
    order.push(request.body.messages[0].content);
    await new Promise<void>((resolve) => held.push(resolve));
    load.now--;
    return answerWell(request);
  });
beforeEach(() => {
  Object.assign(load, { now: 0, most: 0 });
  order.length = 0;
  held.length = 0;
  hold();
});
const ask = (node: TestServer, key: string, content: string) =>
  node.chat(key, MODEL, { messages: [{ role: 'user', content }] });
const slotsOf = async (node: TestServer): Promise<number[]> => {
  const { data } = (await node.admin('GET', '/nodes')).body;
  return data.map(({ shares }: { shares: Record<string, number> }) => shares.shared ?? 0);
};

/** Returns what each node has reported of its queue, and the transaction of its report. */
const reports = () =>
  database.all(
    'SELECT xmin::text AS transaction, waiting_paid, waiting_other FROM provider_share ORDER BY node',
  );

/** Waits until all nodes know how many requests wait on the nodes. */
async function untilReported(wanted: { paid: number; other: number }): Promise<void> {
  const sum = (rows: Awaited<ReturnType<typeof reports>>, column: string) =>
    rows.reduce((total, row) => total + Number(row[column]), 0);
  await waitFor(async () => {
    const rows = await reports();
    return sum(rows, 'waiting_paid') === wanted.paid && sum(rows, 'waiting_other') === wanted.other;
  });
  // The second report of a node begins after it has taken up the answer to the first one.
  for (let report = 1; report <= 2; report++) {
    const before = await reports();
    await waitFor(async () =>
      (await reports()).every(({ transaction }, node) => transaction !== before[node]?.transaction),
    );
  }
}

test('three nodes share four slots, which the upstream never sees exceeded', async () => {
  upstream.answer(MODEL, async (request) => {
    load.most = Math.max(load.most, ++load.now);
    await Bun.sleep(8);
    load.now--;
    return answerWell(request);
  });
  const answers = await spread(150, (node, index) => ask(node, index % 2 ? paid.key : free.key, 'x'));
  expect(countStatuses(answers)).toEqual({ 200: 150 });
  expect(load.most).toBeLessThanOrEqual(SLOTS);
  expect(load.most).toBeGreaterThan(1);
});

test('one busy node gets the shares of the idle ones', async () => {
  const asked = Array.from({ length: 6 }, () => ask(three, paid.key, 'busy'));
  await waitFor(() => load.now === SLOTS);
  expect((await slotsOf(one)).reduce((sum, slots) => sum + slots, 0)).toBeLessThanOrEqual(SLOTS);
  await waitFor(() => {
    held.shift()?.();
    return order.length >= 6;
  });
  for (const release of held) release();
  expect(countStatuses(await Promise.all(asked))).toEqual({ 200: 6 });
  expect(load.most).toBe(SLOTS);
});

test('a freed slot goes to a paid request on any node before a Free one that came earlier', async () => {
  const holders = Array.from({ length: SLOTS }, () => ask(one, free.key, 'holder'));
  await waitFor(() => load.now === SLOTS);
  const waiting = [
    ...Array.from({ length: 3 }, () => ask(one, free.key, 'free')),
    ...Array.from({ length: 3 }, () => ask(two, free.key, 'free')),
  ];
  await untilReported({ paid: 0, other: 6 });
  waiting.push(...[two, three, three].map((node) => ask(node, paid.key, 'paid')));
  await untilReported({ paid: 3, other: 6 });
  for (let freed = 1; freed <= 3; freed++) {
    held.shift()!();
    await waitFor(() => order.length === SLOTS + freed);
  }
  expect(order.slice(SLOTS)).toEqual(['paid', 'paid', 'paid']);
  await waitFor(() => {
    held.shift()?.();
    return order.length >= SLOTS + 9;
  });
  for (const release of held) release();
  expect(countStatuses(await Promise.all([...holders, ...waiting]))).toEqual({ 200: 13 });
  expect(load.most).toBe(SLOTS);
});

test('a killed node returns its slots', async () => {
  const lost = Array.from({ length: SLOTS }, () => ask(three, paid.key, 'lost').catch(() => undefined));
  await waitFor(() => load.now === SLOTS);
  three.signal('SIGKILL');
  await three.exited;
  await Promise.all(lost);
  load.now = 0;
  const asked = Array.from({ length: SLOTS }, (_, index) => ask(index % 2 ? one : two, paid.key, 'next'));
  await waitFor(() => order.filter((content) => content === 'next').length === SLOTS, 25_000);
  for (const release of held) release();
  expect(countStatuses(await Promise.all(asked))).toEqual({ 200: SLOTS });
});
