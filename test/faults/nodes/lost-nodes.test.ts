import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../../support/call.ts';
import { isLong } from '../../support/is-long.ts';
import { ledgerEntries, usageEntries } from '../../support/ledger-entries.ts';
import { answerSlowly, answerWell, type UpstreamAnswer } from '../../support/recording-upstream.ts';
import { sampleModel } from '../../support/sample-config.ts';
import type { CreatedKey } from '../../support/start-server.ts';
import { DONE } from '../../support/stream-events.ts';
import { waitFor } from '../../support/wait-for.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { askForStream } from '../faulty-gateway.ts';
import { type GatewayNode, openGatewayNodes } from './gateway-nodes.ts';

/** A lost node returns everything within this time. */
const RETURNED_MS = 20_000;
const PAUSED_MS = isLong ? 30_000 : 0;
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

const gateway = await openGatewayNodes((sample) => ({
  providers: sample.providers.map((provider) => ({ ...provider, max_concurrent: PLACES })),
  plans: { ...wideLimits, payg: { ...wideLimits.payg, concurrent: PLACES } },
  catalog: {
    ...sample.catalog,
    models: [...sample.catalog.models, ...MODELS.map((id) => sampleModel(id, { launch: true }))],
  },
}));
afterAll(gateway.close);
const survivor = await gateway.start('other');
const [killed, paused, severed] = await Promise.all([
  gateway.start('killed'),
  gateway.start('paused'),
  gateway.start('severed'),
]);

async function createPayer(): Promise<CreatedKey> {
  const key = await survivor.server.createKey('payg');
  await survivor.server.purchase(key.account, 5);
  return key;
}
/** The keys whose streams the killed, the paused and the severed node have open. */
const owner = await createPayer();
const sleeper = await createPayer();
const exile = await createPayer();

type OpenStream = { text: Promise<string>; release(): void };

/** Opens a stream. The upstream answers at once with all but the end, or with nothing, until the release. */
function open(node: GatewayNode, key: CreatedKey, model: Model): OpenStream {
  const slow = answerSlowly();
  const { promise, resolve } = Promise.withResolvers<void>();
  const begins = model !== 'waiting' && model !== 'late';
  const late: UpstreamAnswer = async (request) => promise.then(() => answerWell(request));
  gateway.upstream.answer(`hidden-${model}`, begins ? slow.answer : late);
  const text = askForStream(node.server.url, key.key, { model, max_tokens: 100 });
  return { text, release: begins ? slow.release : resolve };
}

const openAll = (node: GatewayNode, key: CreatedKey, models: readonly Model[]): [Model, OpenStream][] =>
  models.map((model) => [model, open(node, key, model)]);

const creditOf = async (key: CreatedKey): Promise<number> =>
  (await survivor.server.readAccount(key.account)).purchased_credits;
const entries = (key: CreatedKey) => usageEntries(survivor.server, key.account);

async function takesAllPlaces(key: CreatedKey): Promise<boolean> {
  const slow = answerSlowly();
  gateway.upstream.answer('hidden-test-small', slow.answer);
  const asked = Array.from({ length: PLACES }, () =>
    fetch(`${survivor.server.url}/v1/chat/completions`, {
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

/** Loses three nodes with open streams. Returns the streams, and the time until everything is returned. */
async function loseNodes() {
  const streams = Object.fromEntries([
    ...openAll(killed, owner, ['open', 'waiting', 'spooled', 'late']),
    ...openAll(paused, sleeper, ['slept', 'ended-asleep']),
    ...openAll(severed, exile, ['severed', 'severed-spooled']),
  ]) as Record<Model, OpenStream>;
  await waitFor(async () => (await gateway.produced()) === 6 && (await gateway.holds()) === 8);

  killed.proxy.cut();
  severed.proxy.blackHole();
  for (const model of ['spooled', 'late', 'severed-spooled'] as const) {
    streams[model].release();
    await streams[model].text;
  }
  const from = performance.now();
  await gateway.kill(killed);
  paused.server.signal('SIGSTOP');
  streams['ended-asleep'].release();
  await waitFor(async () => (await gateway.holds()) === 0, RETURNED_MS * 2);
  await waitFor(() => takesAllPlaces(owner), RETURNED_MS * 2);
  return { streams, returnedAfterMs: performance.now() - from };
}
const { streams, returnedAfterMs } = await loseNodes();

test('a killed, a paused and a severed node return credit, slots and places within 20 s', async () => {
  expect(returnedAfterMs).toBeLessThan(RETURNED_MS);
  expect(await gateway.holds(owner.account)).toBe(0);
});

test('the open answers of a killed node are billed by their output', async () => {
  const recovered = (await entries(owner)).filter(({ receipt }) => receipt.outcome === 'recovered');
  expect(recovered.map(({ model, receipt }) => [model, receipt.estimated]).sort()).toEqual([
    ['open', true],
    ['spooled', true],
  ]);
  expect(await survivor.server.ledgerFaults()).toEqual([]);
});

test('answers that a killed node had in its spool are billed in full after its next start', async () => {
  for (const { text } of [streams.spooled, streams.late]) expect(await text).toContain(DONE);
  killed.proxy.heal();
  const restarted = await gateway.start('killed');
  expect(restarted.server.log()).toContain('spool-drained');
  const found = await entries(owner);
  const ofModel = (model: string) => found.filter((entry) => entry.model === model);
  expect(ofModel('late').map(({ receipt }: Json) => [receipt.outcome, receipt.estimated])).toEqual([
    ['complete', false],
  ]);
  const [estimate, ...rest] = ofModel('spooled');
  expect(rest).toEqual([]);
  const adjustments = await ledgerEntries(survivor.server, owner.account, 'adjustment');
  expect(adjustments).toHaveLength(1);
  expect(adjustments[0].request_id).toBe(estimate.request_id);
  expect(estimate.microcredits - adjustments[0].microcredits).toBe(ofModel('late')[0].microcredits);
  const sum = found.reduce((total, { microcredits }) => total + microcredits, 0);
  expect(await creditOf(owner)).toBe(2_500 - (sum - adjustments[0].microcredits) / 1e6);
  expect(await survivor.server.ledgerFaults()).toEqual([]);
});

test('a paused node that was closed ends its answers with an error, registers anew and serves', async () => {
  await Bun.sleep(PAUSED_MS);
  paused.server.signal('SIGCONT');
  streams.slept.release();
  for (const { text } of [streams.slept, streams['ended-asleep']]) {
    expect(await text).toContain('"error"');
    expect(await text).not.toContain(DONE);
  }
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

test('a node that was closed while it was cut off bills only the answers in its spool in full', async () => {
  severed.proxy.heal();
  await waitFor(() => severed.server.log().includes('node-was-closed'));
  streams.severed.release();
  expect(await streams.severed.text).not.toContain(DONE);
  expect(await streams['severed-spooled'].text).toContain(DONE);
  gateway.upstream.answer('hidden-test-small', answerWell);
  await waitFor(
    async () => (await severed.server.chat(exile.key, 'test-small', { max_tokens: 100 })).status === 200,
  );
  await waitFor(async () => (await ledgerEntries(survivor.server, exile.account, 'adjustment')).length === 1);
  const found = await entries(exile);
  expect(found.map(({ receipt }) => receipt.outcome).sort()).toEqual(['complete', 'recovered', 'recovered']);
  const [difference] = await ledgerEntries(survivor.server, exile.account, 'adjustment');
  const { microcredits } = found.find(({ request_id: id }) => id === difference.request_id);
  const whole = found.find(({ receipt }) => receipt.outcome === 'complete').microcredits;
  expect(microcredits - difference.microcredits).toBe(whole);
  expect({
    billedTwice: await gateway.billedTwice(),
    holds: await gateway.holds(),
    faults: await severed.server.ledgerFaults(),
  }).toEqual({ billedTwice: [], holds: 0, faults: [] });
});
