import { batchClient, messagesFlavor } from '../../support/batch-client.ts';
import { bearer } from '../../support/call.ts';
import type { TestServer } from '../../support/start-server.ts';
import { type SignedInPerson, signInAsOperator } from '../sign-in.ts';

const model = (id: string, name: string, fields: object = {}) => ({
  id,
  plan: 'free',
  delivery: 'exact',
  context_window: 131_072,
  max_output: 8_192,
  display_name: name,
  owned_by: 'openai',
  capabilities: { tools: true, reasoning: false, vision: true, documents: false },
  pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 0.1 },
  routes: [{ provider: 'simulator', model: id }],
  ...fields,
});

/** Models whose answers are simulated, in two plans. */
export const seededConfig = {
  simulator: { mode: 'on' },
  catalog: {
    default: false,
    models: [
      model('sample-small', 'Sample Small'),
      model('sample-large', 'Sample Large', { pricing_usd_per_mtok: { input: 3, output: 15 } }),
      model('sample-max', 'Sample Max', { plan: 'max' }),
    ],
  },
};

export type Seed = {
  /** The first operator, who owns the first account. */
  operator: SignedInPerson;
  account: string;
  key: string;
  /** Returns an address of a page with the ids of seeded things. */
  addressOf(path: string): string;
};

/**
 * Fills a server, so that no page is judged empty: keys, charged and refused requests,
 * a stored response and a batch.
 */
export async function seed(server: TestServer): Promise<Seed> {
  const operator = await signInAsOperator(server, 'ada@example.com');
  const { organizations, person } = (await operator.call('/session')).body;
  const account: string = organizations[0].id;
  await server.purchase(account, 20);
  const { key } = await server.createKey('free', { account, name: 'laptop' });
  await server.createKey('free', { account, name: 'a service with a rather long name for its key' });
  const requestIds = await sendRequests(server, key);
  const response = await server.call('/v1/responses', {
    headers: bearer(key),
    body: { model: 'sample-small', input: 'Hello', store: true },
  });
  const batch = await batchClient(server, { flavor: messagesFlavor, key }).create([
    'sample-small',
    'sample-small',
  ]);
  const ids: Readonly<Record<string, string>> = {
    '/requests/{id}': requestIds[0]!,
    '/operator/requests/{id}': requestIds[0]!,
    '/models/{id*}': 'sample-small',
    '/operator/models/{id*}': 'sample-small',
    '/operator/providers/{id}': 'simulator',
    '/batches/{id}': batch.id,
    '/responses/{id}': response.body.id,
    '/operator/accounts/{id}': account,
    '/operator/people/{id}': person.id,
  };
  const idAt = (path: string): string => {
    const id = ids[path];
    if (id === undefined) throw new Error(`nothing is seeded for ${path}`);
    return encodeURIComponent(id);
  };
  const addressOf = (path: string) => path.replace(/\{\w+\*?\}/, () => idAt(path));
  return { operator, account, key, addressOf };
}

/** Some are answered, and some are refused. */
async function sendRequests(server: TestServer, key: string): Promise<string[]> {
  const models = ['sample-small', 'sample-large', 'sample-small', 'sample-max', 'nothing'];
  const ids: string[] = [];
  for (const model of models) {
    const { headers } = await server.chat(key, model, { max_tokens: 40 });
    ids.push(headers.get('x-svc-request-id')!);
  }
  return ids;
}
