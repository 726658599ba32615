import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';

const server = await startServer();
afterAll(server.stop);

const file: Json = parse(
  readFileSync(join(import.meta.dir, '../../src/settings/catalog/default-catalog.yaml'), 'utf8'),
);
const list: Json[] = (await server.call('/v1/models')).body.data;
const isOpen = ({ id }: Json): boolean => id.startsWith('@svc/');
/** Models with a context window are billed by tokens alone. */
const isBilledByTokens = ({ context_window }: Json): boolean => context_window > 0;
const includedIn = async (plan: string): Promise<Json[]> => {
  const { key } = await server.createKey(plan);
  const { body } = await server.call('/v1/models', { headers: bearer(key) });
  return body.data.filter(({ svc }: Json) => svc.access.included);
};

describe('the default catalog', () => {
  const ids = async (plan: string) => new Set((await includedIn(plan)).map(({ id }) => id as string));

  test("has 112 models for Starter, 125 for Pro and 129 for Max, each including the lower plan's [PLN-19] [PLN-20] [PLN-21]", async () => {
    const [free, starter, pro, max] = await Promise.all(['free', 'starter', 'pro', 'max'].map(ids));
    expect({ starter: starter!.size, pro: pro!.size, max: max!.size }).toEqual({
      starter: 112,
      pro: 125,
      max: 129,
    });
    expect(free!.isSubsetOf(starter!)).toBe(true);
    expect(starter!.isSubsetOf(pro!)).toBe(true);
    expect(pro!.isSubsetOf(max!)).toBe(true);
  });

  test('has the same models for Scale and Enterprise as for Max [PLN-22]', async () => {
    const max = await ids('max');
    for (const plan of ['scale', 'enterprise']) expect(await ids(plan)).toEqual(max);
  });

  test('has 72 models for Launch [PLN-23]', async () => {
    expect((await ids('launch')).size).toBe(72);
  });

  test('has eleven models for Free, all with open weights [PLN-18]', async () => {
    const free = await includedIn('free');
    expect(free).toHaveLength(11);
    expect(free.filter(isOpen)).toHaveLength(11);
  });

  test('has at least five models for pay-as-you-go mode only [PLN-24]', () => {
    const alone = list.filter(({ svc }) => svc.access.unlocked_by === 'payg');
    expect(alone.length).toBeGreaterThanOrEqual(5);
    expect(list.length).toBe(129 + alone.length);
  });

  test('has at least three embedding models [MOD-54]', () => {
    const embeddings = list.filter((entry) => 'output_dimensions' in entry);
    expect(embeddings.length).toBeGreaterThanOrEqual(3);
    for (const { output_dimensions } of embeddings) expect(Number.isInteger(output_dimensions)).toBe(true);
  });

  test('has plausible figures in every entry', () => {
    for (const { id, context_window, max_output, pricing_usd_per_mtok: rates, created } of list.filter(
      isBilledByTokens,
    )) {
      expect([id, context_window >= 512, max_output === null || max_output <= context_window]).toEqual([
        id,
        true,
        true,
      ]);
      expect([id, rates.input > 0, rates.output >= 0, rates.cached_input ?? 0]).toEqual([
        id,
        true,
        true,
        expect.any(Number),
      ]);
      expect([id, rates.cached_input === null || rates.cached_input <= rates.input]).toEqual([id, true]);
      expect([id, created > 1_600_000_000 && created < 1_900_000_000]).toEqual([id, true]);
    }
  });

  test('has a model for each metered endpoint, with a metered price or a token price, and none in a plan', () => {
    const metered = list.filter((entry) => !isBilledByTokens(entry));
    expect(new Set(metered.flatMap(({ svc }) => svc.endpoints))).toEqual(
      new Set([
        '/v1/images/generations',
        '/v1/images/edits',
        '/v1/audio/speech',
        '/v1/audio/transcriptions',
        '/v1/audio/translations',
        '/v1/rerank',
        '/v1/moderations',
      ]),
    );
    for (const { id, svc, context_window, pricing_usd_per_mtok: rates } of metered) {
      const isFree = id === 'omni-moderation-latest';
      expect([id, rates.input + rates.output > 0 || svc.metered_usd !== undefined]).toEqual([id, !isFree]);
      expect({ id, context_window, unlocked_by: svc.access.unlocked_by }).toEqual({
        id,
        context_window: 0,
        unlocked_by: 'payg',
      });
    }
  });

  test('is listed completely in one answer [MOD-29]', () => {
    expect(list.map(({ id }) => id)).toEqual(file.models.map(({ id }: Json) => id));
  });

  test('resolves every spelling of every model, raw and encoded [MOD-44] [MOD-45] [MOD-46]', async () => {
    for (const entry of list) {
      const name = isOpen(entry) ? entry.id.slice('@svc/'.length) : entry.id;
      const spellings = [entry.id, `svc-${name}`, ...(isOpen(entry) ? [name] : [])];
      expect(entry.aliases).toEqual(expect.arrayContaining(spellings.slice(1)));
      for (const spelling of new Set([...spellings, ...entry.aliases])) {
        for (const path of [spelling, encodeURIComponent(spelling)]) {
          const { status, body } = await server.call(`/v1/models/${path}`);
          expect({ path, status, body }).toEqual({ path, status: 200, body: entry });
        }
      }
    }
  });

  for (const [client, path, names] of [
    [
      'Claude Code and the Anthropic SDK',
      '/v1/messages',
      [
        'claude-opus-5-5',
        'claude-sonnet-5-5',
        'claude-haiku-5-5',
        'claude-haiku-4-5-20251001',
        'claude-3-5-haiku-latest',
      ],
    ],
    ['Codex', '/v1/responses', ['gpt-6.1-sol', 'gpt-5.5', 'gpt-5.3-codex', 'codex-mini-latest']],
    [
      'the AI SDK and LangChain',
      '/v1/chat/completions',
      ['gpt-4o', 'gpt-4o-mini', 'gpt-5', 'gpt-3.5-turbo', 'o4-mini-2025-04-16'],
    ],
    ["LangChain's embeddings", '/v1/embeddings', ['text-embedding-ada-002', 'text-embedding-3-small']],
  ] as const)
    test(`has the models that ${client} use by default`, async () => {
      const { key } = await server.createKey('max');
      for (const model of names) {
        const fields = { messages: [{ role: 'user', content: 'hi' }], max_tokens: 16 };
        const body = path === '/v1/messages' || path.includes('chat') ? fields : { input: 'hi' };
        const { status } = await server.call(path, { headers: bearer(key), body: { ...body, model } });
        expect({ model, status }).toEqual({ model, status: 200 });
      }
    });

  test('has no spelling of two models', () => {
    const all = list.flatMap(({ id, aliases }) => [id, ...aliases]);
    const others = [...Object.keys(file.handles), ...Object.keys(file.previews)];
    expect(new Set([...all, ...others]).size).toBe(all.length + others.length);
  });

  test('has at least two previews and twenty handles, which no list shows [MOD-55] [MOD-48] [MOD-49] [MOD-50]', async () => {
    const previews = Object.keys(file.previews);
    const handles = Object.keys(file.handles);
    expect(previews.length).toBeGreaterThanOrEqual(2);
    expect(handles.length).toBeGreaterThanOrEqual(20);
    for (const name of [...previews, ...handles]) {
      const { status } = await server.call(`/v1/models/${encodeURIComponent(name)}`);
      const listed = list.some(({ id, aliases }) => id === name || aliases.includes(name));
      const answer = await server.chat(server.firstKey, name);
      expect([name, status, listed, answer.body.error?.code]).not.toEqual([
        name,
        404,
        false,
        'unknown_model',
      ]);
      expect({ status, listed }).toEqual({ status: 404, listed: false });
    }
  });
});

test('serves every chat model of the chat-completions wire', async () => {
  const { key } = await server.createKey('enterprise');
  const { body } = await server.call('/v1/models?wire=openai', { headers: bearer(key) });
  const included = body.data.filter(({ svc }: Json) => svc.access.included);
  expect(included.length).toBeGreaterThan(50);
  for (const { id } of included) {
    const { status, body: answer } = await server.chat(key, id);
    expect({ id, status, model: answer.model }).toEqual({ id, status: 200, model: id });
    expect(answer.choices[0].message.content).toStartWith('[simulated]');
  }
});
