import { afterAll, expect, test } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { waitFor } from '../support/wait-for.ts';

const KEY = 'sk-small-1234567890abcdef';
const upstream = startSmallProvider([KEY]);
const server = await startServer({
  config: {
    providers: [{ id: 'small', wire: 'openai-chat', base_url: upstream.url, api_key: KEY }],
    catalog: {
      models: [
        {
          id: 'of-file',
          plan: 'free',
          context_window: 8_192,
          display_name: 'Of the file',
          pricing_usd_per_mtok: { input: 1, output: 4 },
          routes: [{ provider: 'small', model: 'small-1' }],
        },
      ],
    },
  },
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
const { key } = await server.createKey('pro');
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
const ONE = '/models/of-file';
const row = async () => (await server.admin('GET', '/catalog/of-file')).body;

test('a dry run says what a change does to fields and to the requests of yesterday, and stores nothing', async () => {
  for (let calls = 0; calls < 2; calls++) expect((await server.chat(key, 'of-file')).status).toBe(200);
  let charged = 0;
  await waitFor(async () => {
    const { totals } = (await server.admin('GET', '/traffic?group_by=model')).body;
    charged = totals.revenue_usd;
    return totals.requests === 2;
  });
  await server.admin('POST', '/test/clock', { advance_s: 86_400 });
  const doubled = { pricing_usd_per_mtok: { input: 2, output: 8 } };
  const dry = await server.admin('PATCH', `${ONE}?dry_run=true`, { ...doubled, display_name: 'Renamed' });
  expect({ status: dry.status, body: dry.body }).toEqual({
    status: 200,
    body: {
      changes: [
        { field: 'display_name', before: 'Of the file', after: 'Renamed' },
        {
          field: 'pricing_usd_per_mtok',
          before: expect.objectContaining({ input: 1, output: 4 }),
          after: expect.objectContaining({ input: 2, output: 8 }),
        },
      ],
      yesterday: {
        requests: 2,
        microcredits_before: expect.any(Number),
        microcredits_after: expect.any(Number),
      },
    },
  });
  const { microcredits_before: before, microcredits_after: after } = dry.body.yesterday;
  expect(before).toBe(Math.round((charged / 0.002) * 1_000_000));
  expect(after).toBe(2 * before);
  expect(await row()).toMatchObject({ source: 'file', revision: null, display_name: 'Of the file' });
  const added = await server.admin('POST', '/models?dry_run=true', { ...(await row()).row, id: 'other' });
  expect(added).toMatchObject({ status: 200, body: { yesterday: { requests: 0 } } });
  expect((await server.admin('GET', '/catalog/other')).status).toBe(404);
});

test('a change of a model of the file lies over it, and its removal brings the row of the file back', async () => {
  const changed = await server.admin('PATCH', ONE, { display_name: 'Renamed', aliases: ['nickname'] });
  expect(changed).toMatchObject({
    status: 200,
    body: { source: 'stored', revision: 1, display_name: 'Renamed', routes: [{ provider: 'small' }] },
  });
  expect((await server.chat(key, 'nickname')).status).toBe(200);
  const hidden = await server.admin('PATCH', ONE, { hidden: true, revision: 1 });
  expect(hidden.body).toMatchObject({ hidden: true, revision: 2, display_name: 'Renamed' });
  expect((await server.chat(key, 'of-file')).body.error.code).toBe('unknown_model');
  const late = await server.admin('PATCH', ONE, { hidden: false, revision: 1 });
  expect({ status: late.status, code: late.body.error.code }).toEqual({ status: 409, code: 'conflict' });

  const dry = await server.admin('DELETE', `${ONE}?dry_run=true`);
  expect({ status: dry.status, changes: dry.body.changes }).toEqual({
    status: 200,
    changes: expect.arrayContaining([
      { field: 'display_name', before: 'Renamed', after: 'Of the file' },
      { field: 'hidden', before: true, after: false },
    ]),
  });
  expect((await row()).hidden).toBe(true);
  const removed = await server.admin('DELETE', ONE);
  expect({ status: removed.status, body: removed.body }).toEqual({
    status: 200,
    body: { id: 'of-file', deleted: true },
  });
  expect(await row()).toMatchObject({ source: 'file', revision: null, hidden: false });
  const tooLate = await server.admin('PATCH', ONE, { hidden: true, revision: 2 });
  expect(tooLate).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect((await server.chat(key, 'of-file')).status).toBe(200);
  const again = await server.admin('DELETE', ONE);
  expect(again).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('tollgate.yaml') } },
  });
});

test('a change that a model cannot have is refused with its field, in a dry run too', async () => {
  for (const query of ['', '?dry_run=true']) {
    const answer = await server.admin('PATCH', `${ONE}${query}`, {
      pricing_usd_per_mtok: { input: -1, output: 1 },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'pricing_usd_per_mtok.input' } } });
    expect((await server.admin('DELETE', `/models/none${query}`)).status).toBe(404);
  }
  expect((await server.admin('PATCH', `${ONE}?dry_run=perhaps`, {})).status).toBe(400);
});

test('a model whose provider was removed can be hidden, and a route to that provider stays refused', async () => {
  await server.admin('POST', '/providers', { id: 'leaving', wire: 'openai-chat', base_url: upstream.url });
  const routes = [{ provider: 'leaving', model: 'small-1' }];
  const pricing = { pricing_usd_per_mtok: { input: 1, output: 4 } };
  const stored = { id: 'left', plan: 'free', context_window: 8_192, ...pricing, routes };
  expect((await server.admin('POST', '/models', stored)).status).toBe(201);
  const removed = await server.admin('DELETE', '/providers/leaving');
  expect(removed.body.warnings).toEqual(["The model 'left' has lost its last route."]);

  const again = await server.admin('PATCH', '/models/left', { routes });
  expect([again.status, again.body.error.param]).toEqual([400, 'routes[0].provider']);
  const hidden = await server.admin('PATCH', '/models/left', { hidden: true });
  expect([hidden.status, hidden.body.hidden]).toEqual([200, true]);
});
