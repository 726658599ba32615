import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { shareOf } from '../support/share-of.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-commands-'));
const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

/** Runs a command that knows only the data directory. */
async function command(line: string): Promise<Json> {
  const { code, stdout, stderr } = await runProgram([
    ...line.split(' '),
    '--data',
    server.dataDirectory,
    '--json',
  ]);
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('commands for a running server', () => {
  test('find its address and the admin token in the data directory [ADM-48]', async () => {
    expect((await command('account list')).data.length).toBeGreaterThan(0);
    const { code, stderr } = await runProgram(['account', 'list', '--data', directory]);
    expect({ code, count: stderr.trim().split('\n').length }).toEqual({ code: 1, count: 1 });
  });

  test('create an account, change its plan and status, and show what the admin API shows [ADM-07]', async () => {
    const made = await command('account create Ada --plan pro');
    const same = async () => (await server.admin('GET', `/accounts/${made.id}`)).body;
    expect(made).toEqual(await same());
    expect({ name: made.name, plan: made.plan }).toEqual({ name: 'Ada', plan: 'pro' });
    expect((await command(`account set-plan ${made.id} max`)).plan).toBe('max');
    for (const [verb, status] of [
      ['suspend', 'suspended'],
      ['close', 'closed'],
      ['reopen', 'active'],
    ])
      expect((await command(`account ${verb} ${made.id}`)).status).toBe(status);
    expect(await command(`account show ${made.id}`)).toEqual(await same());
    expect(await command('account list --limit 1')).toEqual(
      (await server.admin('GET', '/accounts?limit=1')).body,
    );
  });

  test('grant credits and add purchases, which the next request can spend [ADM-07]', async () => {
    const { account, key } = await server.createKey('payg');
    expect((await server.chat(key, 'test-payg')).body.error.code).toBe('paid_credit_required');
    const bought = await command(`account purchase ${account} 5`);
    expect(bought).toEqual((await server.admin('GET', `/accounts/${account}`)).body);
    expect(bought.purchased_credits).toBe(2_500);
    expect((await server.chat(key, 'test-payg', { max_tokens: 5 })).status).toBe(200);
    const subscriber = await server.createAccount('starter');
    const granted = await command(`account grant ${subscriber} 50 --reason sorry`);
    expect(granted).toEqual((await server.admin('GET', `/accounts/${subscriber}`)).body);
    expect(granted.credits).toEqual({ limit: 2_550, used: 0, remaining: 2_550 });
    const { data } = (await server.admin('GET', `/accounts/${subscriber}/ledger`)).body;
    expect(data).toMatchObject([{ kind: 'grant', microcredits: 50_000_000, reason: 'sorry' }]);
  });

  test("show how credits were used, in the ledger, in sums and in a request's receipt", async () => {
    const { account, key } = await server.createKey('pro');
    expect((await command(`account grant ${account} 12.5 --reason sorry`)).credits.limit).toBe(10_012.5);
    expect((await command(`account purchase ${account} 5`)).purchased_credits).toBe(2_500);
    const { headers } = await server.chat(key, 'test-plain');
    const listed = await command(`account ledger ${account} --limit 2`);
    expect(listed).toEqual((await server.admin('GET', `/accounts/${account}/ledger?limit=2`)).body);
    const request = headers.get('x-svc-request-id')!;
    expect(await command(`ledger show ${request}`)).toEqual({ account_id: account, ...listed.data[0] });
    expect((await command(`account usage ${account} --by model`)).data).toMatchObject([
      { model: 'test-plain', requests: 1, input_tokens: 7, output_tokens: 3 },
    ]);
    const past = await command(`account usage ${account} --from 2020-01-01 --to 2020-02-01`);
    expect(past.data).toEqual([]);
    const plain = await runProgram(['ledger', 'show', request, '--data', server.dataDirectory]);
    expect(plain.stdout).toMatch(/receipt\.outcome +complete/);
  });

  test('create, list and revoke a key [ADM-08]', async () => {
    const account = await server.createAccount('pro');
    const { id, key } = await command(`key create ${account}`);
    expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/);
    expect((await server.chat(key, 'test-plain')).status).toBe(200);
    const listed = await command(`key list ${account}`);
    expect(listed.data.map((each: Json) => each.id)).toEqual([id]);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect((await command(`key revoke ${id}`)).revoked_at).toBeString();
    expect((await server.chat(key, 'test-plain')).body.error.code).toBe('revoked_api_key');
  });

  test('print the catalog as it is served [ADM-09]', async () => {
    const served: Json[] = (await server.call('/v1/models')).body.data;
    const { data } = await command('catalog list');
    expect(data.map(({ id }: Json) => id)).toEqual(served.map(({ id }) => id));
    const shown = await command('catalog show svc-test-plain');
    const entry = served.find(({ id }) => id === 'test-plain');
    expect(shown).toMatchObject({
      id: entry.id,
      pricing_usd_per_mtok: entry.pricing_usd_per_mtok,
      plan: 'starter',
    });
  });
});

describe('catalog check', () => {
  const check = async (name: string, text: string) => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return { file, ...(await runProgram(['catalog', 'check', file])) };
  };
  const row = (id: string, more = '') =>
    `  - id: "${id}"\n    context_window: 1000\n    pricing_usd_per_mtok: { input: 1, output: 2 }\n${more}`;
  const models = (...rows: string[]) => `models:\n${rows.join('')}`;

  test('accepts a valid file [ADM-09]', async () => {
    const route = '    routes: [{ provider: openai, model: x }]\n    comparable: ["@svc/other"]\n';
    const { code, stderr } = await check('good.yaml', models(row('@svc/one', route), row('@svc/other')));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('takes a file with any section of a configuration for one, also as JSON', async () => {
    const outcomes = [
      await check('sections.yaml', 'server: { port: 8080 }\n'),
      await check('sections.json', '{ "catalog": { "models": [] } }'),
    ];
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });

  const wrong = [
    ['two models with one spelling', models(row('same'), row('@svc/same')), 5, /models\[1\]\.id.*'same'/],
    [
      'an alias that is the id of another model',
      models(row('one'), row('two', '    aliases: [svc-one]\n')),
      8,
      /models\[1\]\.aliases\[0\].*'svc-one'/,
    ],
    ['a repeated id', models(row('one'), row('one')), 5, /models\[1\]\.id/],
    [
      'an unknown comparable model',
      models(row('one', '    comparable:\n      - gpt-4.1\n      - nobody\n')),
      7,
      /comparable\[1\].*nobody/,
    ],
    [
      'a model comparable to itself',
      models(row('one', '    comparable: [svc-one]\n')),
      5,
      /comparable\[0\].*another/,
    ],
    [
      'a missing price',
      models('  - id: one\n    context_window: 1000\n'),
      2,
      /pricing_usd_per_mtok.*required/,
    ],
    [
      'half a price',
      models('  - id: one\n    context_window: 1000\n    pricing_usd_per_mtok:\n      input: 1\n'),
      4,
      /pricing_usd_per_mtok\.output.*required/,
    ],
    [
      'an unknown provider',
      models(row('one', '    routes:\n      - provider: opnai\n        model: x\n')),
      6,
      /routes\[0\]\.provider.*opnai/,
    ],
    [
      'a provider on other wires',
      models(
        row(
          'one',
          '    kind: embedding\n    output_dimensions: 8\n    routes:\n      - { provider: anthropic, model: x }\n',
        ),
      ),
      8,
      /routes\[0\].*embedding/,
    ],
    [
      'an embedding model without dimensions',
      models(row('one', '    kind: embedding\n')),
      2,
      /output_dimensions.*required/,
    ],
    ['an unknown field', models(row('one', '    contxt: 5\n')), 5, /contxt/],
    ['a handle of an unknown model', 'handles:\n  old: nobody\n', 2, /handles\.old.*nobody/],
    [
      'a preview with the id of a model',
      `${models(row('one'))}previews: { svc-one: one }\n`,
      5,
      /previews.*svc-one/,
    ],
    ["another operator's prefix", models(row('@acme/one')), 2, /models\[0\]\.id.*@svc\//],
  ] as [string, string, number, RegExp][];
  for (const [what, text, line, field] of shareOf(wrong, { turn: 0, of: 4 })) {
    test(`names the file, line and field of ${what} [ADM-09]`, async () => {
      const { code, stderr, stdout, file } = await check('wrong.yaml', text);
      const problems = `${stderr}${stdout}`;
      const first = problems.split('\n').find((each) => each.includes(`${file}:${line}:`));
      expect(code).toBe(1);
      expect(first ?? problems).toEqual(expect.stringMatching(field));
    });
  }
});
