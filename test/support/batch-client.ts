import { expect } from 'bun:test';
import { type Answer, bearer, chatBody, type Json } from './call.ts';
import { expectOk } from './expect-ok.ts';
import { messagesBody } from './messages-body.ts';
import type { TestServer } from './start-server.ts';
import { waitFor } from './wait-for.ts';

export type Flavor = {
  name: 'messages' | 'chat';
  path: string;
  headers(key: string): Record<string, string>;
  /** Makes the same request outside a batch. */
  params(model: string, fields?: Json): Json;
  /** The place of the answer in a result line. */
  answerField: 'message' | 'response';
};

export const messagesFlavor: Flavor = {
  name: 'messages',
  path: '/v1/messages/batches',
  headers: (key) => ({ 'x-api-key': key }),
  params: (model, fields) => messagesBody(model, { max_tokens: 100, ...fields }),
  answerField: 'message',
};
export const chatFlavor: Flavor = {
  name: 'chat',
  path: '/v1/batches',
  headers: bearer,
  params: (model, fields) => chatBody(model, fields),
  answerField: 'response',
};
export const flavors = [messagesFlavor, chatFlavor];

type CreateOptions = { fields?: Json; headers?: Record<string, string> };

/** Makes a client of one collection, with one key. */
export function batchClient(
  server: Pick<TestServer, 'call'>,
  { flavor, key }: { flavor: Flavor; key: string },
) {
  const auth = flavor.headers(key);
  const get = (path: string): Promise<Answer> => server.call(flavor.path + path, { headers: auth });
  const items = (models: readonly string[], fields: Json = {}): Json[] =>
    models.map((model, index) => ({ custom_id: `item-${index}`, params: flavor.params(model, fields) }));
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    server.call(flavor.path, { headers: { ...auth, ...headers }, body });
  const view = async (id: string): Promise<Json> => {
    const answer = await get(`/${id}`);
    expectOk(answer);
    return answer.body;
  };
  return {
    flavor,
    get,
    post,
    items,
    view,
    list: (query = '') => get(query),
    /** Creates a batch with an item for each of the models. */
    async create(
      models: readonly string[],
      { fields = {}, headers = {} }: CreateOptions = {},
    ): Promise<Json> {
      const answer = await post({ requests: items(models), ...fields }, headers);
      expectOk(answer);
      return answer.body;
    },
    cancel: (id: string) => server.call(`${flavor.path}/${id}/cancel`, { method: 'POST', headers: auth }),
    delete: (id: string) => server.call(`${flavor.path}/${id}`, { method: 'DELETE', headers: auth }),
    results: (id: string) => get(`/${id}/results`),
    /** Reads the lines of a batch, each under its own name. */
    async lines(id: string): Promise<Record<string, Json>> {
      const answer = await get(`/${id}/results`);
      expectOk(answer);
      return Object.fromEntries(linesOf(answer.text).map(({ custom_id, result }) => [custom_id, result]));
    },
    async ended(id: string, timeoutMs = 15_000): Promise<Json> {
      await waitFor(async () => (await view(id)).processing_status === 'ended', timeoutMs);
      return view(id);
    },
  };
}

export type BatchClient = ReturnType<typeof batchClient>;

/** Parses the lines of a body of results, each of which must end with a line break. */
export function linesOf(text: string): Json[] {
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export const countsSum = ({ request_counts: counts }: Json): number =>
  Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0);
