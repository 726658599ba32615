import { afterAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '../testing/run-captured.ts';
import type { Finding } from './finding.ts';

const KEY = 'the-secret-upstream-key';
const directory = mkdtempSync(join(tmpdir(), 'tollgate-live-'));
const seen: string[] = [];
const bodies: unknown[] = [];

const error = (status: number, message: string, fields = {}) =>
  Response.json({ error: { message, ...fields } }, { status });

const dated = (ms: number, body: object, status = 200) =>
  Response.json(body, { status, headers: { date: new Date(Date.now() + ms).toUTCString() } });

type Host = { lists: (hasKey: boolean) => Response; answers: (hasKey: boolean) => Response };
const listed = () => Response.json({ data: [] });
const needed = (hasKey: boolean) => (hasKey ? listed() : error(401, 'no key'));

/** Each host is the first part of a path. */
const hosts: Record<string, Host> = {
  closed: { lists: needed, answers: () => error(500, 'unused') },
  open: { lists: listed, answers: needed },
  unpaid: { lists: listed, answers: () => error(402, `Pay for ${KEY} first.`) },
  spent: { lists: listed, answers: () => error(400, 'Your credit balance is too low.') },
  unlisted: { lists: () => error(404, 'no such path'), answers: needed },
  refusing: { lists: () => error(401, `Wrong key ${KEY}.`), answers: () => error(500, 'unused') },
  unfit: { lists: () => error(404, 'no such path'), answers: () => error(501, 'No embeddings.') },
  secondhand: { lists: listed, answers: () => error(403, 'Not yours.') },
  vague: {
    lists: () => error(400, 'API key not valid. Please pass a valid API key.'),
    answers: () => error(500, 'unused'),
  },
  late: {
    lists: () => dated(-3_600_000, { message: 'Signature expired: it is old' }, 403),
    answers: () => error(500, 'unused'),
  },
  slow: { lists: (hasKey) => (hasKey ? dated(90_000, { data: [] }) : error(401, 'no key')), answers: needed },
  keyless: { lists: listed, answers: () => error(500, 'unused') },
};

/** The windows that each host reports, at the path of its kind of server. */
const windows: Record<string, Record<string, object>> = {
  vllm: { 'v1/models': { data: [{ id: 'up-cheap-vllm', owned_by: 'vllm', max_model_len: 4_096 }] } },
  llama: {
    'v1/models': { data: [{ id: 'file.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }] },
    props: { default_generation_settings: { n_ctx: 1_024 } },
  },
  ollama: {
    'v1/models': { data: [{ id: 'up-cheap-ollama:latest', owned_by: 'library' }] },
    'api/ps': { models: [{ name: 'up-cheap-ollama:latest', context_length: 2_048 }] },
  },
  large: { 'v1/models': { data: [{ id: 'up-cheap-large', context_length: 8_192 }] } },
};

const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const [, host = '', , ...path] = new URL(request.url).pathname.split('/');
    seen.push(`${request.method} ${host} ${path.join('/')}`);
    const window = windows[host]?.[new URL(request.url).pathname.slice(host.length + 2)];
    if (window) return Response.json(window);
    if (windows[host]) return Response.json({});
    const hasKey = [...request.headers.values()].some((value) => value.includes(KEY));
    if (request.method === 'GET') return hosts[host]!.lists(hasKey);
    bodies.push(await request.json());
    return hosts[host]!.answers(hasKey);
  },
});
beforeEach(() => {
  seen.length = 0;
  bodies.length = 0;
});
afterAll(async () => {
  await upstream.stop(true);
  rmSync(directory, { recursive: true });
});

async function examine(ids: readonly string[], { live = true, wire = 'openai-chat', routed = true } = {}) {
  const providers = ids.map(
    (id) =>
      `  - { id: ${id}, wire: ${wire}, base_url: "http://127.0.0.1:${upstream.port}/${id}/v1"${
        id === 'keyless' ? '' : `, api_key: ${KEY}`
      } }`,
  );
  const kind = wire === 'openai-embeddings' ? ', kind: embedding, output_dimensions: 8' : '';
  const model = (id: string, provider: string, price: number): string =>
    `    - { id: ${id}, plan: free, context_window: 8192, pricing_usd_per_mtok: { input: ${price}, output: ${price} }, routes: [{ provider: ${provider}, model: up-${id} }]${kind} }`;
  const models = ids.flatMap((id) => [model(`dear-${id}`, id, 9), model(`cheap-${id}`, id, 1)]);
  const config = join(directory, 'tollgate.yaml');
  const catalog = `catalog:\n  default: false\n  models:${routed ? `\n${models.join('\n')}` : ' []'}\n`;
  writeFileSync(config, `providers:\n${providers.join('\n')}\n${catalog}`);
  const data = ['--data', join(directory, 'data'), '--port', '0'];
  const args = ['doctor', '--json', '--config', config, ...data, ...(live ? ['--live'] : [])];
  const { code, printed } = await runCaptured(args);
  expect(printed).not.toContain(KEY);
  const { findings } = JSON.parse(printed) as { findings: Finding[] };
  return { code, live: findings.filter(({ check }) => check === 'live') };
}

test('calls no provider without --live [ADM-12]', async () => {
  const { live } = await examine(['closed', 'open'], { live: false });
  expect({ live, seen }).toEqual({ live: [], seen: [] });
});

test('tries a key with the list of models, which is free', async () => {
  const { code, live } = await examine(['closed']);
  expect(live).toEqual([
    { check: 'live', status: 'ok', message: expect.stringContaining('closed accepts its key'), mend: null },
  ]);
  expect({ code, seen }).toEqual({ code: 0, seen: ['GET closed models', 'GET closed models'] });
});

for (const host of ['open', 'unlisted'])
  test(`tries a key with one token of the cheapest model if the list says nothing (${host})`, async () => {
    const { live } = await examine([host]);
    expect(live).toMatchObject([
      { status: 'ok', message: expect.stringContaining(`(a call of up-cheap-${host}, `) },
    ]);
    expect(bodies).toEqual([
      { model: `up-cheap-${host}`, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 },
    ]);
  });

test('fails for a refused key with the words of the provider, without the key', async () => {
  const { code, live } = await examine(['refusing', 'secondhand', 'vague']);
  expect(code).toBe(1);
  expect(live.map(({ status, message }) => `${status} ${message}`)).toEqual([
    expect.stringMatching(/^fail refusing refuses its key with status 401 \(Wrong key /),
    'fail secondhand refuses its key with status 403 (Not yours.)',
    expect.stringMatching(/^fail vague refuses its key with status 400 \(API key not valid/),
  ]);
});

for (const [host, status] of [
  ['unpaid', 402],
  ['spent', 400],
] as const)
  test(`warns if the provider accepts the key but answers ${status} for lack of credit`, async () => {
    const { code, live } = await examine([host]);
    expect({ code, live }).toMatchObject({
      code: 0,
      live: [
        {
          status: 'warn',
          message: expect.stringContaining(`${host} answers ${status} to a call of up-cheap-${host}`),
          mend: 'buy credit for the account at the provider, or raise its limit of spending',
        },
      ],
    });
  });

test('says so if a key cannot be tried, or if there is none', async () => {
  expect((await examine(['open'], { routed: false })).live).toMatchObject([
    { status: 'warn', message: 'the key of open cannot be tried' },
  ]);
  expect((await examine(['keyless'])).live).toMatchObject([
    { status: 'ok', message: expect.stringContaining('keyless answers without a key') },
  ]);
});

const small: [string, string, object][] = [
  ['openai-responses', 'responses', { max_output_tokens: 16 }],
  ['openai-completions', 'completions', { max_tokens: 1 }],
  ['openai-embeddings', 'embeddings', { input: 'Hi' }],
  ['anthropic-messages', 'messages', { max_tokens: 1 }],
  ['google-interactions', 'interactions', { generation_config: { max_output_tokens: 1 } }],
  ['google-generate', 'models/up-cheap-open:generateContent', { generationConfig: { maxOutputTokens: 1 } }],
];
for (const [wire, path, body] of small)
  test(`makes the smallest call of the wire ${wire}`, async () => {
    const { live } = await examine(['open'], { wire });
    expect(live.map(({ status }) => status)).toEqual(['ok']);
    expect(seen).toContain(`POST open ${path}`);
    expect(bodies).toMatchObject([body]);
  });

test('says that a kind of call is not offered, without the advice to try again', async () => {
  const { live } = await examine(['unfit']);
  expect(live).toMatchObject([
    {
      message: 'unfit answers 501 to a call of up-cheap-unfit (No embeddings.)',
      mend: expect.stringMatching(/^use a provider that offers this kind of call/),
    },
  ]);
});

test('has no free list on the wire of Bedrock', async () => {
  await examine(['open'], { wire: 'bedrock-converse' });
  expect(seen).toEqual(['POST open model/up-cheap-open/converse']);
  expect(bodies).toMatchObject([{ inferenceConfig: { maxTokens: 1 } }]);
});

test('distinguishes a refused time of signatures from a refused key', async () => {
  const { code, live } = await examine(['late']);
  expect(live).toMatchObject([
    {
      status: 'fail',
      message:
        'late refuses its key or the time of signatures with status 403 (Signature expired: it is old)',
      mend: expect.stringMatching(/^synchronize the clock .* or its key is wrong$/),
    },
    {
      status: 'warn',
      message: expect.stringMatching(/^the clock of late is 3\d{3} s behind the clock of this machine$/),
    },
  ]);
  expect(code).toBe(1);
});

test('warns of a provider whose clock differs by more than a minute', async () => {
  const { code, live } = await examine(['slow']);
  expect(live).toMatchObject([
    { status: 'ok' },
    { status: 'warn', message: expect.stringMatching(/^the clock of slow is (89|90) s ahead of/) },
  ]);
  expect(code).toBe(0);
});

test("warns of each row whose window is larger than its server's [ERR-56]", async () => {
  const { code, live } = await examine(['vllm', 'llama', 'ollama', 'large']);
  const warnings = live.filter(({ status }) => status === 'warn');
  expect(warnings.map(({ message }) => message).sort()).toEqual([
    'llama takes 1024 tokens with up-cheap-llama, and the row of cheap-llama has a window of 8192',
    'llama takes 1024 tokens with up-dear-llama, and the row of dear-llama has a window of 8192',
    'ollama takes 2048 tokens with up-cheap-ollama, and the row of cheap-ollama has a window of 8192',
    'vllm takes 4096 tokens with up-cheap-vllm, and the row of cheap-vllm has a window of 8192',
  ]);
  const { mend } = warnings.find(({ message }) => message.startsWith('vllm'))!;
  expect(mend).toBe('set context_window of cheap-vllm to 4096, or raise the limit of the server');
  expect(code).toBe(0);
});
