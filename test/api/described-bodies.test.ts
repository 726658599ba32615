import { afterAll, expect, test } from 'bun:test';
import { generatingEndpoints } from '../../src/inference/recording/generating-endpoints.ts';
import { signInAsOperator } from '../dashboard/sign-in.ts';
import { bearer, call, type Json } from '../support/call.ts';
import { codeOfError } from '../support/code-of-error.ts';
import { type Edge, edgesOf, withValue } from '../support/edges-of-schema.ts';
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';
import { withExampleModel } from '../support/with-example-model.ts';

const server = await startServer();
afterAll(server.stop);

const document: Json = (await server.call('/openapi.json')).body;
const resolve = (schema: Json): Json =>
  schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;

const { key } = await server.createKey('max');
const { account, id: keyId } = await server.createKey('max');
const { account: changed } = await server.createKey('max');
const closed = await server.createKey('max');
await server.admin('PATCH', `/accounts/${closed.account}`, { status: 'closed' });
await signInAsOperator(server);
const person = (await server.admin('GET', '/people')).body.data[0]?.id;
const token = (await server.admin('POST', '/tokens', { name: 'spare', role: 'operator' })).body.id;
const response = await server.call('/v1/responses', {
  headers: bearer(key),
  body: {
    ...document.paths['/v1/responses'].post.requestBody.content['application/json'].example,
    store: true,
  },
});

const interaction = await server.call('/v1beta/interactions', {
  headers: { 'x-goog-api-key': key },
  body: document.paths['/v1beta/interactions'].post.requestBody.content['application/json'].example,
});

/** The objects that path parameters name. */
const ids: Record<string, string> = {
  accounts: account,
  keys: keyId,
  people: person,
  tokens: token,
  responses: response.body.id,
  interactions: interaction.body.id,
};

const filled = (path: string, named = ids): string =>
  withExampleModel(document, path).replace(
    /(\w+)\/\{(\w+)\}/g,
    (_, group: string, name: string) => `${group}/${named[group] ?? name}`,
  );

type Operation = { name: string; path: string; method: string; reported: Json };

const operations: Operation[] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, reported]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method: method.toUpperCase(),
    reported: reported,
  })),
);

/** The default models of metered endpoints run in pay-as-you-go mode only. */
const paying = await server.createKey('payg');
const credit = { credits: 1_000_000, balance: 'purchased', reason: 'a test' };
await server.admin('POST', `/accounts/${paying.account}/adjustments`, credit);

const credentialOf = ({ reported, path }: Operation): Record<string, string> => {
  if (/^\/v1\/(images|audio|rerank|moderations)/.test(path)) return bearer(paying.key);
  const [scheme] = Object.keys(reported.security[0] ?? {});
  if (scheme === 'admin-token') return bearer(server.adminToken);
  return scheme?.startsWith('x-') ? { [scheme]: key } : bearer(key);
};

const geminiPath = (method: string): string =>
  Object.keys(document.paths).find((path) => path.endsWith(`:${method}`))!;

/** Members without which a valid value of another one would be refused. */
const needed: Record<string, Json> = {
  'POST /v1/chat/completions': {
    stream: true,
    logprobs: true,
    tools: [{ type: 'function', function: { name: 'tell', parameters: { type: 'object' } } }],
  },
  'POST /v1/responses': { tools: [{ type: 'function', name: 'tell', parameters: { type: 'object' } }] },
  'POST /v1/responses/input_tokens': {
    tools: [{ type: 'function', name: 'tell', parameters: { type: 'object' } }],
  },
  'POST /v1beta/interactions': { tools: [{ type: 'function', name: 'tell' }] },
  'POST /v1/messages': { tools: [{ name: 'tell', input_schema: { type: 'object' } }] },
  ...Object.fromEntries(
    ['generateContent', 'streamGenerateContent'].map((method) => [
      `POST ${geminiPath(method)}`,
      { tools: [{ functionDeclarations: [{ name: 'tell' }] }] },
    ]),
  ),
  'POST /admin/v1/configuration': { text: 'brand: svc\n', hash: '' },
};

const isTheModels = 'The chosen model decides.';

const assumedRole = 'aws.assume_role.external_id aws.assume_role.duration_s';

/**
 * Values that the description allows and the server refuses, because a rule depends on more than the value.
 */
const refusedAll: readonly [operation: string, members: string, why: string][] = [
  ['POST /v1/chat/completions', 'reasoning_effort', isTheModels],
  ['POST /v1/responses', 'reasoning.effort', isTheModels],
  ['POST /v1/responses', 'top_logprobs', isTheModels],
  ['POST /v1/responses', 'prompt.id', 'Stored prompts are those of a provider.'],
  ['POST /v1/responses/compact', 'reasoning.effort', isTheModels],
  ['POST /v1/responses/input_tokens', 'reasoning.effort top_logprobs', isTheModels],
  ['POST /v1/responses/input_tokens', 'prompt.id', 'Stored prompts are those of a provider.'],
  ['POST /v1/completions', 'prompt max_tokens best_of suffix logprobs', isTheModels],
  [
    `POST ${geminiPath('generateContent')}`,
    'generationConfig.responseLogprobs generationConfig.candidateCount cachedContent',
    isTheModels,
  ],
  [
    `POST ${geminiPath('streamGenerateContent')}`,
    'generationConfig.responseLogprobs generationConfig.candidateCount cachedContent',
    isTheModels,
  ],
  [
    `POST ${geminiPath('countTokens')}`,
    'generateContentRequest',
    'The request inside has the rules of a request.',
  ],
  ['POST /v1beta/interactions', 'continuation_token', 'A vendor issues the tokens.'],
  ['POST /v1/embeddings', 'dimensions', isTheModels],
  [`POST ${geminiPath('embedContent')}`, 'outputDimensionality', isTheModels],
  ['POST /v1/images/generations', 'size quality response_format', isTheModels],
  ['POST /v1/images/edits', 'size quality response_format', isTheModels],
  ['POST /v1/audio/speech', 'response_format stream_format voice', isTheModels],
  ['POST /v1/messages/batches', 'processing_mode lane', 'No provider of the test has batches of its own.'],
  ['POST /v1/batches', 'processing_mode lane', 'No provider of the test has batches of its own.'],
  ['POST /admin/v1/accounts/{id}/keys', 'person_id', 'The account has few members.'],
  ['PATCH /admin/v1/keys/{id}', 'person_id', 'The account has few members.'],
  ['POST /admin/v1/providers', assumedRole, 'A role has an ARN.'],
  ['POST /admin/v1/providers', 'wire base_url', 'The provider is none of the built-in ones.'],
  ['PATCH /admin/v1/providers/{id}', assumedRole, 'A role has an ARN.'],
  ['POST /admin/v1/providers/test', 'wire base_url', 'The provider is none of the built-in ones.'],
  ['POST /admin/v1/providers/test', 'aws.* azure.* google.*', 'The example has a key.'],
  ['POST /admin/v1/secrets/rotate', 'new_key', 'A key is the base64 text of 32 bytes.'],
  ['POST /admin/v1/accounts/{id}/purchases', 'usd', 'The configuration limits the amount.'],
];

/** `aws.*` stands for all members of `aws`. */
const isAmong = (members: string, path: readonly string[]): boolean =>
  members.split(' ').some((one) => one === path.join('.') || one === `${path[0]}.*`);

/** Gemini's dialect takes a single element in place of a list, as the vendor does. */
const isLenient = ({ path, rule }: Edge): boolean => path.at(-1) === 'parts' && rule === 'not object';

const isExcused = ({ name }: Operation, { path, isAllowed }: Edge): boolean =>
  isAllowed && refusedAll.some(([of, members]) => of === name && isAmong(members, path));

/** Returns the error codes that the description lists for a status. */
const codesOf = ({ reported }: Operation, status: number): string[] =>
  Object.keys(reported.responses[status]?.content?.['application/json']?.examples ?? {});

/** Sends every edge of a schema, and returns those on which the description and the server disagree. */
async function disagreements(
  operation: Operation,
  schema: Json,
  edges: Iterable<Edge> = edgesOf(schema, resolve),
): Promise<string[]> {
  const { example = {} } = operation.reported.requestBody.content['application/json'];
  const base = { ...example, ...needed[operation.name] };
  const found: string[] = [];
  for (const edge of edges) {
    const named = operation.name === 'PATCH /admin/v1/accounts/{id}' ? { accounts: changed } : ids;
    const { status, body } = await call(server.url + filled(operation.path, named), {
      method: operation.method,
      headers: credentialOf(operation),
      body: withValue(base, schema, resolve, edge),
    });
    const isRefused = status === 400 || status === 422;
    if (status >= 400 && !codesOf(operation, status).includes(codeOfError(body) ?? ''))
      found.push(`${status} ${codeOfError(body)} is not described`);
    if (isRefused !== edge.isAllowed || isExcused(operation, edge) || isLenient(edge)) continue;
    found.push(`${edge.path.join('.')} (${edge.rule}): ${status} ${body?.error?.message ?? ''}`);
  }
  return found;
}

const schemaOf = ({ reported }: Operation): Json => reported.requestBody.content['application/json'].schema;
const withBodies = operations.filter(({ reported }) => reported.requestBody?.content['application/json']);

test('there are bodies to compare', () => expect(withBodies.length).toBeGreaterThan(25));

test.each(
  withBodies.map((one, turn) => [one.name, one, turn] as const),
)('the body of %s is described as the server checks it [ADM-18]', async (_, operation, turn) => {
  const schema = schemaOf(operation);
  const edges = shareOf([...edgesOf(schema, resolve)], { turn, of: 4 });
  expect(await disagreements(operation, schema, edges)).toEqual([]);
});

test('the refusals of a closed account are described [ADM-18]', async () => {
  const found: string[] = [];
  const named = { accounts: closed.account, keys: closed.id };
  for (const operation of operations.filter(({ path }) => /\/(accounts|keys)\/\{id\}/.test(path))) {
    const body = operation.reported.requestBody?.content['application/json'].example;
    const answer = await call(server.url + filled(operation.path, named), {
      method: operation.method,
      headers: bearer(server.adminToken),
      ...(body && { body }),
    });
    const code = answer.body?.error?.code;
    if (code !== undefined && !codesOf(operation, answer.status).includes(code))
      found.push(`${operation.name}: ${answer.status} ${code}`);
  }
  expect(found).toEqual([]);
});

test('the comparison finds a limit, a word and a member that a description lacks', async () => {
  const operation = withBodies.find(({ name }) => name === 'POST /admin/v1/tokens')!;
  const { properties } = schemaOf(operation);
  const loose = (changed: Json) => ({ ...schemaOf(operation), properties: { ...properties, ...changed } });
  const found = async (changed: Json) => (await disagreements(operation, loose(changed))).join('\n');
  const { maxLength: _, pattern: __, ...name } = properties.name;
  expect(await found({ name })).toContain('name (no maxLength): 400');
  expect(await found({ role: { type: 'string' } })).toContain('role (minLength): 400');
  expect(await found({ role: { enum: [...properties.role.enum, 'guest'] } })).toContain('role (enum): 400');
  expect(await found({ role: { enum: ['owner'] } })).toBe('');
  expect(await found({ more: { type: 'boolean' } })).toContain('more (boolean): 400');
  expect(await found({ expires_at: { type: 'boolean' } })).toContain('expires_at (not null)');
});

/**
 * Parameters whose values the server reads only with a certain header, and the endpoint
 * that the body of a quote is for.
 */
const dependent: readonly string[] = [
  'GET /v1/models limit',
  'GET /v1/responses/{id} starting_after',
  'GET /v1/responses/{id} stream',
  'GET /v1beta/interactions/{id} last_event_id',
  'GET /v1beta/interactions/{id} stream',
  'POST /v1/quote endpoint',
];

/** These must be ids of entries, so that the test has no allowed value. */
const isPlaceInList = (name: string): boolean => /^((after|before)(_id)?|pageToken)$/.test(name);

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

test('query parameters are described as the server checks them [ADM-18]', async () => {
  const found: string[] = [];
  let sent = 0;
  for (const operation of operations) {
    for (const { name, in: place, schema } of operation.reported.parameters ?? []) {
      if (place !== 'query' || dependent.includes(`${operation.name} ${name}`)) continue;
      const { example = undefined } = operation.reported.requestBody?.content['application/json'] ?? {};
      for (const { rule, value, isAllowed } of edgesOf(schema, resolve)) {
        // Every value of a query is text.
        if (rule.startsWith('not ') || (isAllowed && isPlaceInList(name))) continue;
        sent++;
        const url = `${server.url}${filled(operation.path)}?${new URLSearchParams({ [name]: textOf(value) })}`;
        const { method } = operation;
        const headers = credentialOf(operation);
        const answer = await call(url, { method, headers, ...(example && { body: example }) });
        if ((answer.status === 400) === isAllowed)
          found.push(
            `${operation.name} ${name} (${rule}): ${answer.status} ${answer.body?.error?.message ?? ''}`,
          );
      }
    }
  }
  expect(sent).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

test.each(
  Object.keys(generatingEndpoints).filter((path) => !/^\/v1\/(?:interactions|models)/.test(path)),
)('the description of %s has the header for repetitions, and their conflict', (path) => {
  const { parameters, responses } = document.paths[path.replace('{id*}', '{id}')].post;
  const names = parameters.map(({ name }: Json) => name);
  expect(names).toContain('Idempotency-Key');
  expect(Object.keys(responses)).toContain('409');
  expect(names.includes('x-svc-resumable')).toBe(!/compact|mbed/.test(path));
});
