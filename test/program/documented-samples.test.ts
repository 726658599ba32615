import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { parse, stringify } from 'yaml';
import { checkConfiguration } from '../../src/program/cli/check-configuration.ts';
import { runCaptured } from '../../src/program/cli/testing/run-captured.ts';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { createSimulator } from '../../src/simulator/serving/simulator.ts';
import { Database } from '../../src/store/postgres/database.ts';
import { splitScript } from '../support/documented-commands.ts';
import { readSamples, type Sample } from '../support/samples/read-samples.ts';
import { FILE, sampleWays, wayOf } from '../support/samples/sample-ways.ts';
import { startServer } from '../support/start-server.ts';

const root = join(import.meta.dir, '..', '..');
const ADDRESS = 'http://127.0.0.1:8080';
const MODEL = '@svc/gpt-oss-120b';
const samples = readSamples(root);
const samplesWith = (language: string, mark: string): Sample[] =>
  samples.filter((sample) => sample.language === language && sample.mark === mark);
const sampleWith = (language: string, mark: string): Sample => samplesWith(language, mark)[0]!;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-samples-'));
const server = await startServer({ terminal: true });
const simulator = serveSimulator({ port: 0, hostname: '127.0.0.1' });
afterAll(async () => {
  await simulator.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('every sample of a document has a way in which it is checked, and every way has a sample and a test', () => {
  expect(samples.length).toBeGreaterThan(140);
  const unchecked = samples.filter((sample) => wayOf(sample) === undefined);
  expect(unchecked.map(({ place, language, mark }) => `${place}: ${language} ${mark}`)).toEqual([]);
  const used = new Set(samples.map(wayOf));
  expect(
    sampleWays.filter((way) => !used.has(way)).map(({ language, mark }) => `${language} ${mark}`),
  ).toEqual([]);
  for (const { mark, by } of sampleWays) {
    const text = readFileSync(join(root, by), 'utf8');
    // Every shell block has its commands checked, whatever its mark.
    if (mark !== FILE && mark !== 'elsewhere')
      expect({ by, mark, isIncluded: text.includes(mark) }).toEqual({ by, mark, isIncluded: true });
  }
});

/** Returns values for the variables that a configuration names. */
const environmentOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => [name!, `${name}-value`.padEnd(32, '-')]),
  );

async function problemsOf(text: string): Promise<string[]> {
  const file = join(folder, 'tollgate.yaml');
  writeFileSync(file, text.replaceAll('/etc/tollgate', folder));
  const { problems, warnings } = await checkConfiguration({ file, environment: environmentOf(text) });
  return [...problems, ...warnings].map(({ field, message }) => `${field}: ${message}`);
}

describe('configurations', () => {
  for (const name of ['owners', 'everybody']) writeFileSync(join(folder, `${name}.json`), '{}');

  test.each(
    samplesWith('yaml', 'config').map(({ place, body }) => [place, body] as const),
  )('%s', async (_, body) => {
    expect(await problemsOf(body)).toEqual([]);
  });

  test('a price belongs to a model', async () => {
    const { body } = sampleWith('yaml', 'price');
    const routes = [{ provider: 'openai', model: 'm' }];
    const model = { id: 'm', context_window: 400_000, routes, ...parse(body) };
    expect(await problemsOf(stringify({ catalog: { models: [model] } }))).toEqual([]);
  });

  test('the script signs a price file, which is imported with the key that it prints', async () => {
    writeFileSync(join(folder, 'prices.yaml'), sampleWith('yaml', 'price-file').body);
    writeFileSync(join(folder, 'sign.mjs'), sampleWith('js', 'price-key').body);
    const { stdout, exitCode } = Bun.spawnSync([process.execPath, 'sign.mjs'], { cwd: folder });
    expect(exitCode).toBe(0);
    const config = join(folder, 'prices-of.yaml');
    writeFileSync(config, stringify({ catalog: { price_keys: [stdout.toString().trim()] } }));
    const update = ['catalog', 'update', join(folder, 'prices.yaml'), '--config', config, '--dry-run'];
    const { code, printed, remarked } = await runCaptured(update, environment);
    expect({ code, remarked, printed }).toEqual({
      code: 0,
      remarked: expect.any(String),
      printed: expect.stringContaining('gpt-6.1-sol'),
    });
    writeFileSync(join(folder, 'prices.yaml'), `${sampleWith('yaml', 'price-file').body}# changed\n`);
    expect((await runCaptured(update, environment)).code).toBe(1);
  });

  test('a scrape configuration names the alert rules and a target', () => {
    const { rule_files, scrape_configs } = parse(sampleWith('yaml', 'prometheus').body, { strict: true });
    expect(rule_files).toEqual(['alerts.yml']);
    expect(existsSync(join(root, 'deploy/prometheus', rule_files[0]))).toBe(true);
    expect(scrape_configs[0].static_configs[0].targets).toHaveLength(1);
  });

  test('the pipelines of a collector name parts that it has', () => {
    const { service, ...parts } = parse(sampleWith('yaml', 'collector').body, { strict: true });
    for (const pipeline of Object.values<Record<string, string[]>>(service.pipelines))
      for (const [kind, names] of Object.entries(pipeline))
        for (const name of names)
          expect({ kind, keys: Object.keys(parts[kind]) }).toEqual({
            kind,
            keys: expect.arrayContaining([name]),
          });
  });
});

/** The models and settings that the documents' commands and requests need. */
const ada = await server.createKey('pro');
await server.admin('PATCH', `/accounts/${ada.account}`, { name: 'Ada' });
const lovelace = await server.createAccount('pro');
await server.admin('PATCH', `/accounts/${lovelace}`, { name: 'Ada Lovelace' });
const token = (await server.admin('POST', '/tokens', { name: 'ci', role: 'operator' })).body.id as string;
const answered = await server.chat(ada.key, MODEL);
const refused = await server.chat(ada.key, MODEL, { messages: [] });
const requestOf = (answer: typeof answered): string => answer.headers.get('x-svc-request-id')!;
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, server.adminToken);
writeFileSync(join(folder, 'upstream.key'), 'key');
await runCaptured(['backup', join(folder, 'kept'), '--data', server.dataDirectory]);

const environment: Record<string, string> = {
  TOLLGATE_URL: server.url,
  DATA_DIR: server.dataDirectory,
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  STAGING_ADMIN_TOKEN: server.adminToken,
  TOLLGATE_LOCAL_SERVERS: 'off',
};

/**
 * The placeholders of the documents, and this server's values for them. The first row that matches a text
 * applies.
 */
const substitutes: readonly [RegExp, string][] = [
  [/\bprovider drain ID\b/g, 'provider drain anthropic'],
  [/\btoken rotate ID\b/g, `token rotate ${token}`],
  [/\bACCOUNT\b|acct_…|acct_123/g, ada.account],
  [/\bkey rotate KEY\b/g, `key rotate ${ada.id}`],
  [/key_…/g, ada.id],
  [/req_…/g, requestOf(answered)],
  [/\bmodels test MODEL\b/g, `models test ${MODEL}`],
  [/https:\/\/(?:gateway|staging)\.example\.com/g, server.url],
  [/\/dev\/stdin/g, tokenFile],
  [/--key-file (?:-|openai\.key)/g, `--key-file ${join(folder, 'upstream.key')}`],
  [/http:\/\/127\.0\.0\.1:9001/g, simulator.url],
  [/restore \S+ --data \/var\/lib\/tollgate/g, `restore ${folder}/kept --data ${folder}/restored-{run}`],
  [/--data \/var\/lib\/tollgate/g, `--data ${server.dataDirectory}`],
  [/\/backups\//g, `${folder}/backups-{run}-`],
  // It follows the log until it has enough lines.
  [/\blogs tail\b/g, 'logs tail --lines 1 --count 1'],
];

let samplesRun = 0;
const fill = (text: string): string =>
  substitutes
    .reduce((filledIn, [pattern, value]) => filledIn.replaceAll(pattern, value), text)
    .replaceAll(ADDRESS, server.url)
    .replaceAll('{run}', String(samplesRun));

/** Runs the commands of a script in this process. `export` sets a variable for the commands after it. */
async function runCommands(script: string): Promise<void> {
  const own = { ...environment };
  for (const [program = '', ...args] of splitScript(script)) {
    if (program === 'export') {
      for (const assignment of args)
        own[assignment.split('=')[0]!] = assignment.split('=').slice(1).join('=');
      continue;
    }
    expect(program).toBe('bin/tollgate');
    // A profile names a server by itself.
    const { TOLLGATE_URL: _, ...withoutUrl } = own;
    const usesProfile = args.includes('--profile') || own['TOLLGATE_PROFILE'] !== undefined;
    const { code, printed, remarked } = await runCaptured(args, usesProfile ? withoutUrl : own);
    const remarks = code === 0 ? '' : `${remarked}${printed}`;
    expect({ code, remarks }, args.join(' ')).toEqual({ code: 0, remarks: '' });
  }
}

describe('requests', () => {
  test
    .skipIf(Bun.which('curl') === null)
    .each(samplesWith('sh', 'requests').map(({ place, body }) => [place, body] as const))(
    '%s',
    async (_, body) => {
      const script = `curl() { command curl --fail-with-body -sS "$@"; }\n${fill(body)}`;
      const ran = Bun.spawn(['bash', '-euc', script], {
        env: {
          PATH: process.env.PATH ?? '',
          BASE_URL: server.url,
          API_KEY: ada.key,
          TOLLGATE_KEY: ada.key,
          TOLLGATE_ADMIN_TOKEN: server.adminToken,
        },
        stderr: 'pipe',
      });
      const [output, errors] = await Promise.all([ran.stdout.text(), ran.stderr.text()]);
      expect({ code: await ran.exited, errors, output }).toEqual({
        code: 0,
        errors: '',
        output: expect.any(String),
      });
    },
  );

  test('the simulator compacts and answers the message', async () => {
    const url = 'http://simulator/v1/messages';
    const { body } = sampleWith('json', 'message');
    const answer = await createSimulator().handle(new Request(url, { method: 'POST', body }));
    const iterations = [{ type: 'compaction' }, { type: 'message' }];
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(
      expect.objectContaining({
        usage: expect.objectContaining({ iterations: iterations.map(expect.objectContaining) }),
      }),
    );
  });

  test('the socket gets the events of a turn', async () => {
    const { body } = sampleWith('js', 'socket');
    const events = await new Promise<string[]>((resolve, reject) => {
      const seen: string[] = [];
      const console = {
        log(type: string) {
          seen.push(type);
          if (type === 'response.completed' || type === 'error') resolve(seen);
        },
      };
      const run = new Function(
        'key',
        'model',
        'console',
        `${body.replaceAll('ws://127.0.0.1:8080', server.url.replace('http', 'ws'))}\nreturn socket;`,
      );
      const socket = run(ada.key, MODEL, console) as WebSocket;
      socket.onerror = reject;
    });
    expect(events[0]).toBe('response.created');
    expect(events.at(-1)).toBe('response.completed');
  });

  test('the clients of the README and of the pages reach the server', async () => {
    const process = { env: { TOLLGATE_KEY: ada.key } };
    const made = (body: string, names: string) =>
      new Function('OpenAI', 'Anthropic', 'process', `${fill(body)}\nreturn { ${names} };`)(
        OpenAI,
        Anthropic,
        process,
      );
    const [batches, readme] = ['docs/clients/anthropic-sdk.md', 'README.md'].map(
      (path) => samplesWith('js', 'clients').find((sample) => sample.path === path)!.body,
    );
    const { openai, anthropic } = made(readme!, 'openai, anthropic') as {
      openai: OpenAI;
      anthropic: Anthropic;
    };
    const body = { model: MODEL, max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hello!' }] };
    expect((await openai.chat.completions.create(body)).choices[0]!.message.content).toContain('[simulated]');
    expect((await anthropic.messages.create(body)).role).toBe('assistant');
    const { client } = made(batches!, 'client') as { client: Anthropic };
    const batch = await client.messages.batches.create({ requests: [{ custom_id: 'one', params: body }] });
    expect(batch.type).toBe('message_batch');
  });
});

describe('commands', () => {
  // A stored provider ends the simulation, so these come last.
  const addsProvider = ({ body }: Sample): boolean => body.includes('provider add');
  const rows = samplesWith('sh', 'commands').toSorted(
    (left, right) => Number(addsProvider(left)) - Number(addsProvider(right)),
  );
  test.each(rows.map(({ place, body }) => [place, body] as const))('%s', async (_, body) => {
    samplesRun++;
    await runCommands(fill(body));
  });
});

describe('outputs', () => {
  test('a start prints the labels of the README', () => {
    const labels = sampleWith('console', 'start').body.match(
      /^(?: {2})?[A-Z][\w -]*:|^Tollgate is ready\.$/gm,
    )!;
    expect(labels.length).toBeGreaterThan(6);
    for (const label of labels) expect(server.log()).toContain(label);
  });

  test('a request is shown with the labels of the document', async () => {
    const shown = await Promise.all(
      [answered, refused].map((answer) => runCaptured(['requests', 'show', requestOf(answer)], environment)),
    );
    const text = shown.map(({ printed }) => printed).join('\n');
    const [facts = '', attempts = ''] = sampleWith('text', 'output').body.split('\n\n');
    const labels = [
      ...facts.split('\n').map((line) => line.split(/ {2,}/)[0]!),
      ...attempts.split('\n')[0]!.split(/ {2,}/),
    ];
    expect(labels.length).toBeGreaterThan(8);
    for (const label of labels) expect(text).toContain(label);
  });

  test('an alert has the members of the document', () => {
    const { event, data, ...rest } = JSON.parse(sampleWith('json', 'event').body);
    const page = readFileSync(join(root, 'docs/alerts.md'), 'utf8');
    expect(page).toContain(`| \`${event}\` |`);
    const source =
      readFileSync(join(root, 'src/watch/alerts/new-alert.ts'), 'utf8') +
      readFileSync(join(root, 'src/watch/alerts/watch-cap.ts'), 'utf8');
    for (const name of [...Object.keys(data), ...Object.keys(rest)]) expect(source).toContain(name);
  });
});

test('JSON of other programs and the example of a test are valid', () => {
  for (const { body } of samplesWith('json', 'parsed')) JSON.parse(body);
  for (const { body } of samplesWith('ts', 'parsed'))
    new Bun.Transpiler({ loader: 'ts' }).transformSync(body);
});

test.skipIf(process.env.TOLLGATE_TEST_POSTGRES === undefined)('Postgres runs the statements', async () => {
  const name = `tollgate_sample_${process.pid}`;
  const database = new Database({ url: process.env.TOLLGATE_TEST_POSTGRES!, maxConnections: 1 });
  const statements = sampleWith('sql', 'postgres')
    .body.replaceAll(/\btollgate\b/g, name)
    .split(';\n')
    .filter(Boolean);
  try {
    for (const statement of statements) await database.script(statement);
  } finally {
    for (const kind of ['DATABASE', 'ROLE']) await database.script(`DROP ${kind} IF EXISTS ${name}`);
    await database.close();
  }
});
