import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { answerStatus, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, simulated } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const live = { provider: 'own', model: 'hidden-live' };
const stand = simulated('openai-chat');
const optimized = { delivery: 'optimized', tier: 'same' };
const models = [
  ableModel('real', [live], { ...optimized, comparable: ['made-up'] }),
  ableModel('made-up', [stand], { ...optimized, comparable: ['real'] }),
  ableModel('broken', [simulated('openai-chat', 'm!status=500')], { ...optimized, comparable: ['real'] }),
  ableModel('alone', [stand]),
  ableModel('mixed', [stand, live]),
  ableModel('unrouted', [], { ...optimized, comparable: ['made-up'] }),
];
const configOf = (mode: string, { rows = models, ...catalog }: Json = {}) => ({
  simulator: { mode },
  providers: [{ id: 'own', wire: 'openai-chat', base_url: upstream.url }],
  catalog: { default: false, models: rows, ...catalog },
});
const server = await startServer({ config: configOf('on') });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(() => upstream.answer('hidden-live', answerWell));

const { key, account } = await server.createKey('pro');
async function configure(config: Json) {
  server.configure(config);
  const { status, text } = await server.reload();
  expect(status, text).toBe(200);
}
/** The status, the error code, and whether the answer is marked as simulated. */
async function outcomeOf(model: string) {
  const { status, headers, body } = await server.chat(key, model);
  return [status, body.error?.code ?? null, headers.get('x-svc-simulated')];
}
async function listed(): Promise<[id: string, mark: Json][]> {
  const { body } = await server.call('/v1/models');
  return body.data.map(({ id, available, simulated }: Json) => [id, { available, simulated }]);
}
const REAL = { available: undefined, simulated: undefined };
const SIMULATED = { available: undefined, simulated: true };
const AWAY = { available: false, simulated: undefined };

describe('beside a live provider, the simulator in mode on', () => {
  test('answers for the models that are routed to it and for no others [RES-32]', async () => {
    expect(await outcomeOf('real')).toEqual([200, null, null]);
    expect(await outcomeOf('made-up')).toEqual([200, null, 'true']);
    expect(await outcomeOf('mixed')).toEqual([200, null, null]);
    expect(await outcomeOf('unrouted')).toEqual([404, 'model_unavailable', null]);
  });

  test('replaces no real answer, by a route or as a comparable model [RES-32]', async () => {
    upstream.answer('hidden-live', answerStatus(503));
    for (const model of ['real', 'mixed']) {
      const [status, , mark] = await outcomeOf(model);
      expect([model, Number(status) >= 500, mark]).toEqual([model, true, null]);
    }
  });

  test('is not replaced by a real answer, which would cost', async () => {
    const calls = upstream.models().length;
    const [status, , mark] = await outcomeOf('broken');
    expect(Number(status)).toBeGreaterThanOrEqual(500);
    expect(mark).toBeNull();
    expect(upstream.models().length).toEqual(calls);
  });

  test('is free, and real answers are billed as usual [CRD-44]', async () => {
    const used = async () => (await server.admin('GET', `/accounts/${account}`)).body.credits.used;
    const before = await used();
    await outcomeOf('made-up');
    expect(await used()).toBe(before);
    await outcomeOf('real');
    expect(await used()).toBeGreaterThan(before);
  });

  test('is marked in the list of models, the start page and the log', async () => {
    expect(await listed()).toEqual([
      ['real', REAL],
      ['made-up', SIMULATED],
      ['broken', SIMULATED],
      ['alone', SIMULATED],
      ['mixed', REAL],
    ]);
    const { models, simulated_models } = (await server.call('/dashboard/v1/welcome')).body;
    expect({ models, simulated_models }).toEqual({ models: 5, simulated_models: 3 });
    expect(server.log()).toContain('"providers":["own"],"models":2,"simulated_models":3}');
  });
});

describe('beside a live provider, the simulator in mode auto', () => {
  test('answers nothing, even for the models that are routed to it [RES-32]', async () => {
    await configure(configOf('auto'));
    expect(await outcomeOf('real')).toEqual([200, null, null]);
    expect(await outcomeOf('mixed')).toEqual([200, null, null]);
    expect(await outcomeOf('alone')).toEqual([404, 'model_unavailable', null]);
    expect((await server.call('/')).text).not.toContain('answers are simulated');
    const { body } = await server.admin('GET', '/providers/simulator');
    expect(body).toMatchObject({ mode: 'not-set-up', health: 'not-set-up', missing_variables: [] });
  });

  test('leaves models without a provider that are listed only if the operator says so [MOD-60]', async () => {
    await configure(configOf('auto'));
    expect(await listed()).toEqual([
      ['real', REAL],
      ['mixed', REAL],
    ]);
    const anthropic = { 'anthropic-version': '2023-06-01' };
    const { body: page } = await server.call('/v1/models', { headers: anthropic });
    expect(page.data.map(({ id }: Json) => id)).toEqual(['real', 'mixed']);
    const { status, body } = await server.call('/v1/models/made-up');
    expect({ status, available: body.available }).toEqual({ status: 200, available: false });
    await configure(configOf('auto', { list_unavailable: true }));
    expect(await listed()).toEqual([
      ['real', REAL],
      ['made-up', AWAY],
      ['broken', AWAY],
      ['alone', AWAY],
      ['mixed', REAL],
      ['unrouted', AWAY],
    ]);
    const { body: whole } = await server.call('/v1/models', { headers: anthropic });
    const away = ['made-up', 'broken', 'alone', 'unrouted'];
    const withMark = ({ data }: Json) => data.filter((row: Json) => row.available === false);
    expect(withMark(whole).map(({ id }: Json) => id)).toEqual(away);
    const { body: catalog } = await server.admin('GET', '/catalog');
    expect(withMark(catalog).map(({ id }: Json) => id)).toEqual(away);
  });
});

test('without any provider, the simulator in mode off answers nothing', async () => {
  const own = { handles: {}, rows: [ableModel('local', [{ provider: 'ollama', model: 'x' }])] };
  await configure({ ...configOf('off', own), providers: [] });
  expect(await outcomeOf('local')).toEqual([404, 'model_unavailable', null]);
  expect(await listed()).toEqual([]);
});

test('a route to a local server that is away ends the simulation of all models', async () => {
  const rows = [ableModel('local', [{ provider: 'ollama', model: 'x' }]), ableModel('made-up', [stand])];
  await configure({ ...configOf('auto', { rows }), providers: [] });
  expect(await outcomeOf('made-up')).toEqual([404, 'model_unavailable', null]);
  await configure({ ...configOf('auto', { rows: rows.slice(1) }), providers: [] });
  expect(await outcomeOf('made-up')).toEqual([200, null, 'true']);
});
