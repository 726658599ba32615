import { afterAll, beforeAll, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../../support/call.ts';
import { isLong } from '../../support/is-long.ts';
import { ledgerEntries, usageEntries } from '../../support/ledger-entries.ts';
import { answerSlowly, answerWell, type UpstreamAnswer } from '../../support/recording-upstream.ts';
import { sampleModel } from '../../support/sample-config.ts';
import type { CreatedKey } from '../../support/start-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { askForStream } from '../faulty-gateway.ts';
import { type GatewayNode, type GatewayNodes, openGatewayNodes } from './gateway-nodes.ts';

/** A lost node returns everything within this time. */
const RETURNED_MS = 20_000;
const PAUSED_MS = isLong ? 30_000 : 0;
const DONE = '[DONE]';
/**
 * The limit of the account and of the provider. The streams of the lost nodes take all places of the
 * provider.
 */
const PLACES = 8;
const MODELS = [
  ...(['open', 'waiting', 'spooled', 'late'] as const),
  ...(['slept', 'ended-asleep', 'severed', 'severed-spooled'] as const),
];
type Model = (typeof MODELS)[number];

let gateway: GatewayNodes;
let [killed, paused, severed, other] = [] as unknown as GatewayNode[] as [
  GatewayNode,
  GatewayNode,
  GatewayNode,
  GatewayNode,
];
let [owner, sleeper, exile] = [] as unknown as [CreatedKey, CreatedKey, CreatedKey];
/** The streams that each node had open, by model. */
const streams = {} as Record<Model, Promise<string>>;
const releases = {} as Record<Model, () => void>;
let returnedAfterMs = 0;

/** Answers at once with all but the end, or with nothing. The end comes when it is released. */
function prepare(model: Model): void {
  const slow = answerSlowly();
  const { promise, resolve } = Promise.withResolvers<void>();
  const begins = model !== 'waiting' && model !== 'late';
  const late: UpstreamAnswer = async (request) => promise.then(() => answerWell(request));
  gateway.upstream.answer(`hidden-${model}`, begins ? slow.answer : late);
  releases[model] = begins ? slow.release : resolve;
}

function open(node: GatewayNode, key: CreatedKey, model: Model): void {
  prepare(model);
  streams[model] = askForStream(node.server.url, key.key, { model, max_tokens: 100 });
}

const creditOf = async (key: CreatedKey) =>
  (await other.server.admin('GET', `/accounts/${key.account}`)).body.purchased_credits as number;
const entries = (key: CreatedKey) => usageEntries(other.server, key.account);

async function takesAllPlaces(key: CreatedKey): Promise<boolean> {
  const slow = answerSlowly();
  gateway.upstream.answer('hidden-test-small', slow.answer);
  const asked = Array.from({ length: PLACES }, () =>
    fetch(`${other.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: bearer(key.key),
      body: JSON.stringify(chatBody('test-small', { stream: true, max_tokens: 100 })),
    }),
  );
  const answers = await Promise.all(asked);
  slow.release();
  await Promise.all(answers.map((answer) => answer.text()));
  return answers.every(({ status }) => status === 200);
}

beforeAll(async () => {
  gateway = await openGatewayNodes((sample) => ({
    providers: sample.providers.map((provider) => ({ ...provider, max_concurrent: PLACES })),
    plans: { ...wideLimits, payg: { ...wideLimits.payg, concurrent: PLACES } },
    catalog: {
      ...sample.catalog,
      models: [...sample.catalog.models, ...MODELS.map((id) => sampleModel(id, { launch: true }))],
    },
  }));
  other = await gateway.start('other');
  [killed, paused, severed] = await Promise.all([
    gateway.start('killed'),
    gateway.start('paused'),
    gateway.start('severed'),
  ]);
  const newKey = () => other.server.createKey('payg');
  owner = await newKey();
  sleeper = await newKey();
  exile = await newKey();
  for (const { account } of [owner, sleeper, exile]) await other.server.purchase(account, 5);
  for (const model of ['open', 'waiting', 'spooled', 'late'] as const) open(killed, owner, model);
  for (const model of ['slept', 'ended-asleep'] as const) open(paused, sleeper, model);
  for (const model of ['severed', 'severed-spooled'] as const) open(severed, exile, model);
  await waitFor(async () => (await gateway.produced()) === 6 && (await gateway.holds()) === 8);

  killed.proxy.cut();
  severed.proxy.blackHole();
  for (const model of ['spooled', 'late', 'severed-spooled'] as const) releases[model]();
  await Promise.all([streams.spooled, streams.late, streams['severed-spooled']]);
  const from = performance.now();
  await gateway.kill(killed);
  paused.server.signal('SIGSTOP');
  releases['ended-asleep']();
  await waitFor(async () => (await gateway.holds()) === 0, RETURNED_MS * 2);
  await waitFor(() => takesAllPlaces(owner), RETURNED_MS * 2);
  returnedAfterMs = performance.now() - from;
});
afterAll(async () => {
  await gateway.close();
});

test('a killed, a paused and a severed node return credit, slots and places within 20 s', async () => {
  expect(returnedAfterMs).toBeLessThan(RETURNED_MS);
  expect(await gateway.holds(owner.account)).toBe(0);
});

test('a killed node bills the output of open answers, and nothing for requests without one', async () => {
  const recovered = (await entries(owner)).filter(({ receipt }) => receipt.outcome === 'recovered');
  expect(recovered.map(({ model, receipt }) => [model, receipt.estimated]).sort()).toEqual([
    ['open', true],
    ['spooled', true],
  ]);
  expect(await other.server.ledgerFaults()).toEqual([]);
});

test('answers that a killed node had in its spool are billed in full after its next start', async () => {
  for (const text of [streams.spooled, streams.late]) expect(await text).toContain(DONE);
  killed.proxy.heal();
  killed = await gateway.start('killed');
  expect(killed.server.log()).toContain('spool-drained');
  const found = await entries(owner);
  const ofModel = (model: string) => found.filter((entry) => entry.model === model);
  expect(ofModel('late').map(({ receipt }: Json) => [receipt.outcome, receipt.estimated])).toEqual([
    ['complete', false],
  ]);
  const [estimate, ...rest] = ofModel('spooled');
  expect(rest).toEqual([]);
  const adjustments = await ledgerEntries(other.server, owner.account, 'adjustment');
  expect(adjustments).toHaveLength(1);
  expect(adjustments[0].request_id).toBe(estimate.request_id);
  expect(estimate.microcredits - adjustments[0].microcredits).toBe(ofModel('late')[0].microcredits);
  const sum = found.reduce((total, { microcredits }) => total + microcredits, 0);
  expect(await creditOf(owner)).toBe(2_500 - (sum - adjustments[0].microcredits) / 1e6);
  expect(await other.server.ledgerFaults()).toEqual([]);
});

test('a paused node that was closed ends its answers with an error, registers anew and serves', async () => {
  await Bun.sleep(PAUSED_MS);
  paused.server.signal('SIGCONT');
  releases.slept();
  const texts = await Promise.all([streams.slept, streams['ended-asleep']]);
  expect(texts.map((text) => [text.includes(DONE), text.includes('"error"')])).toEqual([
    [false, true],
    [false, true],
  ]);
  await waitFor(() => paused.server.log().includes('node-was-closed'));
  gateway.upstream.answer('hidden-test-small', answerWell);
  expect((await paused.server.chat(sleeper.key, 'test-small', { max_tokens: 100 })).status).toBe(200);
  const outcomes = (await entries(sleeper)).map(({ receipt }) => receipt.outcome).sort();
  expect(outcomes).toEqual(['complete', 'recovered', 'recovered']);
  expect({ billedTwice: await gateway.billedTwice(), holds: await gateway.holds() }).toEqual({
    billedTwice: [],
    holds: 0,
  });
  expect(await paused.server.ledgerFaults()).toEqual([]);
});

test('a node that was closed while it was cut off bills its spool in full, and ends its other answers with an error', async () => {
  severed.proxy.heal();
  await waitFor(() => severed.server.log().includes('node-was-closed'));
  releases.severed();
  expect(
    [await streams.severed, await streams['severed-spooled']].map((text) => text.includes(DONE)),
  ).toEqual([false, true]);
  gateway.upstream.answer('hidden-test-small', answerWell);
  await waitFor(
    async () => (await severed.server.chat(exile.key, 'test-small', { max_tokens: 100 })).status === 200,
  );
  await waitFor(async () => (await ledgerEntries(other.server, exile.account, 'adjustment')).length === 1);
  const found = await entries(exile);
  expect(found.map(({ receipt }) => receipt.outcome).sort()).toEqual(['complete', 'recovered', 'recovered']);
  const [difference] = await ledgerEntries(other.server, exile.account, 'adjustment');
  const { microcredits } = found.find(({ request_id: id }) => id === difference.request_id);
  const whole = found.find(({ receipt }) => receipt.outcome === 'complete').microcredits;
  expect(microcredits - difference.microcredits).toBe(whole);
  expect({
    billedTwice: await gateway.billedTwice(),
    holds: await gateway.holds(),
    faults: await severed.server.ledgerFaults(),
  }).toEqual({ billedTwice: [], holds: 0, faults: [] });
});
