// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of the configuration
import { afterAll, describe, expect, test } from 'bun:test';
import { createHash, createHmac } from 'node:crypto';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, chatBody } from '../support/call.ts';
import { messagesBody } from '../support/messages-body.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const ID = 'AKIDEXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const TOKEN = 'session+token/of=a%20role';

const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Computes the signature from the received request, by AWS's description. */
function signatureOf(request: Request, body: string, region: string): string {
  const { headers } = request;
  const names = /SignedHeaders=([^,]*)/.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  if (names === '') return 'unsigned';
  const time = headers.get('x-amz-date') ?? '';
  const scope = `${time.slice(0, 8)}/${region}/bedrock/aws4_request`;
  const path = new URL(request.url).pathname;
  const lines = names.split(';').map((name) => `${name}:${headers.get(name)}\n`);
  const asked = ['POST', path.replaceAll('%', '%25'), '', lines.join(''), names, hash(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash(asked)].join('\n');
  let key = hmac(`AWS4${SECRET}`, time.slice(0, 8));
  for (const part of [region, 'bedrock', 'aws4_request']) key = hmac(key, part);
  return hmac(key, toSign).toString('hex');
}

const simulator = serveSimulator();
const seen: { path: string; isSigned: boolean; token: string | null; authorization: string }[] = [];

/** A Bedrock server that verifies signatures. */
const bedrock = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  reusePort: false,
  async fetch(request) {
    const body = await request.text();
    const authorization = request.headers.get('authorization') ?? '';
    const region = authorization.split('/')[2] ?? '';
    const isSigned = authorization.endsWith(`Signature=${signatureOf(request, body, region)}`);
    const { pathname } = new URL(request.url);
    const token = request.headers.get('x-amz-security-token');
    seen.push({ path: pathname, isSigned, token, authorization });
    if (!isSigned && authorization !== 'Bearer own-key') return new Response('{}', { status: 403 });
    const headers = { 'content-type': 'application/json' };
    return fetch(simulator.url + pathname, { method: 'POST', headers, body });
  },
});
const base_url = `http://127.0.0.1:${bedrock.port}`;
const wire = 'bedrock-converse';
const aws = { region: 'eu-west-1', access_key_id: '${TEST_AWS_ID}', secret_access_key: '${TEST_AWS_SECRET}' };
const MODEL = 'eu.anthropic.claude-sonnet-4-5-v1:0';

const server = await startServer({
  config: {
    providers: [
      { id: 'hidden-signed', wire, base_url, aws },
      { id: 'hidden-role', wire, base_url, aws: { ...aws, session_token: '${TEST_AWS_TOKEN}' } },
      { id: 'hidden-key', wire, base_url, api_key: 'own-key' },
      { id: 'hidden-wrong', wire, base_url, aws: { ...aws, secret_access_key: 'not-the-secret' } },
    ],
    catalog: {
      default: false,
      models: ['signed', 'role', 'key', 'wrong'].map((id) =>
        ableModel(id, [{ provider: `hidden-${id}`, model: MODEL }]),
      ),
    },
  },
  environment: { TEST_AWS_ID: ID, TEST_AWS_SECRET: SECRET, TEST_AWS_TOKEN: TOKEN },
});
afterAll(async () => {
  await server.stop();
  await bedrock.stop(true);
  await simulator.stop();
});
const { key } = await server.createKey('enterprise');
const last = () => seen.at(-1)!;

describe('calls to Bedrock', () => {
  for (const stream of [false, true]) {
    const path = `/model/${encodeURIComponent(MODEL)}/${stream ? 'converse-stream' : 'converse'}`;

    test(`are signed with a key pair, ${stream ? 'streamed' : 'whole'}`, async () => {
      for (const model of ['signed', 'role']) {
        const chat = await server.chat(key, model, { stream });
        expect(chat.status).toBe(200);
        expect(chat.text).not.toContain('error');
        expect(last()).toMatchObject({ path, isSigned: true, token: model === 'role' ? TOKEN : null });
        const fields = { stream, messages: [{ role: 'user', content: 'äöü 🙂 %41' }] };
        const message = await server.call('/v1/messages', {
          headers: bearer(key),
          body: messagesBody(model, fields),
        });
        expect({ status: message.status, isSigned: last().isSigned }).toEqual({
          status: 200,
          isSigned: true,
        });
      }
    });

    test(`use a bearer token, ${stream ? 'streamed' : 'whole'}`, async () => {
      expect((await server.chat(key, 'key', { stream })).status).toBe(200);
      expect(last()).toMatchObject({ authorization: 'Bearer own-key', token: null });
    });
  }

  test('fail with a wrong secret, without details for the client', async () => {
    const answer = await server.call('/v1/chat/completions', {
      headers: bearer(key),
      body: chatBody('wrong'),
    });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'upstream_unavailable' } } });
    const reported = answer.text + server.log() + server.errors();
    for (const secret of [ID, SECRET, TOKEN, 'not-the-secret']) expect(reported).not.toContain(secret);
    const shown = await server.admin('GET', '/providers');
    for (const secret of [ID, SECRET, TOKEN, 'own-key']) expect(shown.text).not.toContain(secret);
  });
});
