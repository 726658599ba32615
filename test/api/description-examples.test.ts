import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { callDashboard, PASSWORD, signInAsOperator } from '../dashboard/sign-in.ts';
import { bearer, call, type Json } from '../support/call.ts';
import { codeOfError } from '../support/code-of-error.ts';
import { startServer } from '../support/start-server.ts';
import { undescribedMembers } from '../support/undescribed-members.ts';
import { waitFor } from '../support/wait-for.ts';
import { withExampleModel } from '../support/with-example-model.ts';

const secretKey = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
/**
 * On Postgres, credentials of providers are stored only with a key.
 * The example of a rotation needs a former one too.
 */
const environment = { TOLLGATE_SECRET_KEY: `${secretKey(8)},${secretKey(7)}` };
const folder = mkdtempSync(join(tmpdir(), 'tollgate-managed-'));
const file = join(folder, 'claude-code.json');
writeFileSync(file, '{"model":"opus"}');
const config = {
  server: { security_txt: { contact: ['mailto:security@example.com'], expires: '2099-01-01' } },
  claude_code: { managed_settings: [{ file }] },
};
const server = await startServer({ environment, config });
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const document: Json = (await server.call('/openapi.json')).body;
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation,
  })),
);
const examples = operations.filter(({ operation }) => exampleOf(operation) !== undefined);

const { account, id: keyId, key } = await server.createKey('max');
await signInAsOperator(server);
const person = (await server.admin('GET', '/people')).body.data[0]?.id;
const member = await inviteMember('member@example.com');
const token = (await server.admin('POST', '/tokens', { name: 'spare', role: 'operator' })).body.id;

function exampleOf({ requestBody }: Json): Json {
  return requestBody?.content['application/json']?.example;
}

/** The objects that path parameters name. */
const ids: Record<string, string> = {
  accounts: account,
  keys: keyId,
  people: person,
  tokens: token,
  members: member,
};

/** The answers to the examples. */
const made: Record<string, { operation: Json; body: Json }> = {};

/** Makes a person who is a member of the account, and returns the id. */
async function inviteMember(email: string): Promise<string> {
  const invited = await server.admin('POST', `/accounts/${account}/invitations`, { email, role: 'viewer' });
  const invitation = decodeURIComponent(invited.body.link.split('#token=')[1]);
  const joining = { email, name: 'Member', password: PASSWORD, invitation };
  await callDashboard(server, '/session/sign-up', { body: joining });
  return (await server.admin('GET', `/accounts/${account}/members`)).body.data[0].id;
}

/** An example cannot know the id of an account. */
const withAccount = (example: Json): Json =>
  example?.account_id === undefined ? example : { ...example, account_id: account };

const filled = (path: string): string =>
  withExampleModel(document, path).replace(
    /(\w+)\/\{(\w+)\}/g,
    (_, group: string, name: string) => `${group}/${ids[group] ?? name}`,
  );

/** The default models of metered endpoints run in pay-as-you-go mode only. */
const paying = await server.createKey('payg');
const credit = { credits: 1_000_000, balance: 'purchased', reason: 'a test' };
await server.admin('POST', `/accounts/${paying.account}/adjustments`, credit);

const credentialOf = (path: string, operation: Json): Record<string, string> => {
  if (/^\/v1\/(images|audio|rerank|moderations)/.test(path)) return bearer(paying.key);
  const scheme = operation.security[0] ? Object.keys(operation.security[0])[0] : undefined;
  if (scheme === 'admin-token') return bearer(server.adminToken);
  return scheme?.startsWith('x-') ? { [scheme]: key } : bearer(key);
};

test('every example of /openapi.json runs as it stands, and its answer has the described form [ADM-18]', async () => {
  const silent = operations.filter(
    ({ operation }) =>
      operation.requestBody?.content['application/json'] && exampleOf(operation) === undefined,
  );
  // A written configuration names the hash of the file that it replaces, which no example can know.
  expect(silent.map(({ path }) => path)).toEqual(['/admin/v1/configuration']);
  expect(examples.length).toBeGreaterThan(20);
  for (const { path, method, operation } of examples) {
    const answer = await call(server.url + filled(path), {
      method,
      headers: credentialOf(path, operation),
      body: withAccount(exampleOf(operation)),
    });
    made[`${method} ${path}`] = { operation, body: answer.body };
    const [, group = ''] = /\/(budgets|conversations|providers|models)$/.exec(path) ?? [];
    if (group !== '') ids[group] = answer.body.id;
    const status = Object.keys(operation.responses).find((one) => one.startsWith('2'));
    expect({ method, path, status: answer.status, text: answer.text }).toEqual({
      method,
      path,
      status: Number(status),
      text: expect.anything(),
    });
    // Speech is sound.
    const { schema } = operation.responses[status!].content['application/json'] ?? {};
    if (schema) expect({ path, fits: fits(schema, answer.body) }).toEqual({ path, fits: true });
  }
  // The simulator answers again once the provider of the examples is gone.
  for (const group of ['models', 'providers'])
    expect((await server.admin('DELETE', `/${group}/${ids[group]}`)).status).toBe(200);
});

/**
 * The vendors describe the answers of models, and add members. The description names those that clients need.
 */
const VENDORS_FORM =
  /^\w+ \/v1\/(chat\/completions|messages|responses|responses\/compact|responses\/\{id\}(\/input_items)?|conversations\/\{id\}\/items(\/\{item\})?|completions|images\/(generations|edits)|rerank|moderations) /;

test('every read answers in the described form [ADM-18]', async () => {
  const reported = made['POST /v1/chat/completions']!.operation;
  const { headers } = await server.call('/v1/chat/completions', {
    headers: bearer(key),
    body: exampleOf(reported),
  });
  const request = headers.get('x-svc-request-id')!;
  await waitFor(async () => (await server.admin('GET', `/requests/${request}/content`)).status === 200);
  const streamed = await server.call('/v1/chat/completions', {
    headers: { ...bearer(key), 'x-svc-resumable': 'true' },
    body: { ...exampleOf(reported), stream: true },
  });
  const batches = {
    '/v1/messages/batches/': made['POST /v1/messages/batches']!.body.id,
    '/v1/batches/': made['POST /v1/batches']!.body.id,
  };
  await waitFor(
    async () => (await server.admin('GET', '/batches?status=in_progress')).body.data.length === 0,
  );
  const model = (await server.call('/v1/models')).body.data[0].id;
  const named: Record<string, string> = {
    ...batches,
    '/admin/v1/batches/': batches['/v1/batches/'],
    '/v1/models/': model,
    '/admin/v1/catalog/': model,
    '/admin/v1/providers/': 'openai',
    '/v1/usage/': request,
    '/v1/streams/': streamed.headers.get('x-svc-request-id')!,
    '/admin/v1/ledger/entries/': request,
    '/admin/v1/requests/': request,
    '/v1/responses/': made['POST /v1/responses']!.body.id,
    '/v1beta/interactions/': made['POST /v1beta/interactions']!.body.id,
  };
  /** The queries that reads demand. */
  const queries: Record<string, string> = { '/admin/v1/names': `?ids=${account}` };
  const at = (path: string): string =>
    filled(
      path.replace(
        /^([^{]*\/)\{\w+\}/,
        (whole, prefix) => prefix + (named[prefix] ?? whole.slice(prefix.length)),
      ),
    );
  const items = await server.call(at('/v1/conversations/{id}/items'), { headers: bearer(key) });
  ids.items = items.body.data[0].id;
  const undescribed: string[] = [];
  // A socket answers with 101.
  const reads = operations.filter(({ method, operation }) => method === 'GET' && operation.responses[200]);
  for (const { path, operation } of reads) {
    const answer = await server.call(at(path) + (queries[path] ?? ''), {
      headers: credentialOf(path, operation),
    });
    const { schema } = operation.responses[200]?.content?.['application/json'] ?? {};
    if (schema)
      undescribed.push(...undescribedMembers(schema, answer.body, resolve).map((at) => `GET ${path} ${at}`));
    const form = schema ? fits(schema, answer.body) : 'text';
    expect([path, answer.status, form, answer.text]).toEqual([
      path,
      200,
      schema ? true : 'text',
      expect.anything(),
    ]);
  }
  for (const [name, { operation, body }] of Object.entries(made)) {
    const status = Object.keys(operation.responses).find((one) => one.startsWith('2'))!;
    const { schema } = operation.responses[status].content['application/json'] ?? {};
    if (schema) undescribed.push(...undescribedMembers(schema, body, resolve).map((at) => `${name} ${at}`));
  }
  expect(undescribed.filter((one) => !VENDORS_FORM.test(one))).toEqual([]);
});

/**
 * Wrong requests: without a credential, for things that do not exist, and with bodies
 * and queries that nobody accepts.
 */
const wrongRequests = ({ path, method, operation }: (typeof operations)[number]) => {
  const url = server.url + path.replace(/\{\w+\}/g, 'unknown');
  const credential = credentialOf(path, operation);
  const body = operation.requestBody ? { body: { unknown: true } } : {};
  return [
    { url, method, ...body },
    // Answers to wrong admin tokens are delayed.
    ...(path.startsWith('/admin') ? [] : [{ url, method, headers: bearer('wrong'), ...body }]),
    { url, method, headers: credential, ...body },
    { url: `${url}?limit=-1&after=x&from=x&since=x&by=x&wire=x`, method, headers: credential, ...body },
    ...(operation.requestBody ? [{ url, method, headers: credential, body: '{' }] : []),
  ];
};

test('every status that an operation answers is described, and errors have the described form [ADM-18]', async () => {
  for (const one of operations) {
    for (const { url, ...options } of wrongRequests(one)) {
      const { status, body } = await call(url, options);
      const described = one.operation.responses[status];
      expect([one.method, one.path, status, described !== undefined]).toEqual([
        one.method,
        one.path,
        status,
        true,
      ]);
      const { schema, examples } = described.content?.['application/json'] ?? {};
      if (examples && status >= 400)
        expect([one.path, status, Object.keys(examples)]).toEqual([
          one.path,
          status,
          expect.arrayContaining([codeOfError(body)]),
        ]);
      if (schema && status >= 400)
        expect({ path: one.path, status, fits: fits(schema, body) }).toEqual({
          path: one.path,
          status,
          fits: true,
        });
    }
  }
});

test('the check of answers refuses an answer of another form', () => {
  expect(fits({ $ref: '#/components/schemas/ChatCompletion' }, { id: 'x' })).toBe(false);
});

const resolve = (schema: Json): Json =>
  schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;

const fits = (schema: Json, value: unknown): boolean =>
  Compile({ ...schema, $defs: {}, components: document.components } as never).Check(value);
