import { afterAll, expect, test } from 'bun:test';
import { callDashboard } from '../dashboard/sign-in.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// Every secret of the configuration, with services that refuse it or cannot be reached.

const NOWHERE = 'http://127.0.0.1:9';
/** A vendor and a mail server that repeat what they refuse. */
const refusing = Bun.serve({
  port: 0,
  fetch: ({ headers }) =>
    Response.json({ error: { message: `wrong key: ${headers.get('authorization')}` } }, { status: 401 }),
});
const mail = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open: (socket) => void socket.write('220 here\r\n'),
    data(socket, bytes) {
      const line = bytes.toString().trim();
      if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN LOGIN\r\n');
      else socket.write(`535 refused: ${line}\r\n`);
    },
  },
});

const secret = (name: string) => `sesame-${name}-0123456789-0123456789-0123456789`;
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    log: { level: 'debug' },
    server: { public_url: 'https://gate.test' },
    providers: [
      {
        id: 'refusing',
        wire: 'openai-chat',
        base_url: refusing.url.origin,
        api_key: secret('key'),
        headers: { 'x-more': secret('header') },
      },
      {
        id: 'cloud',
        wire: 'bedrock-converse',
        base_url: NOWHERE,
        aws: { region: 'eu-west-1', access_key_id: secret('id'), secret_access_key: secret('access') },
      },
    ],
    catalog: {
      default: false,
      models: [
        ableModel('refused', [{ provider: 'refusing', model: 'refused' }]),
        ableModel('lost', [{ provider: 'cloud', model: 'lost' }]),
      ],
    },
    alerts: { webhooks: [{ url: `${NOWHERE}/${secret('hook')}`, secret: secret('signing') }] },
    billing: {
      stripe: {
        secret_key: secret('stripe'),
        webhook_secrets: [secret('receipt')],
        api_base: NOWHERE,
        prices: { starter: 'price_1' },
      },
    },
    dashboard: {
      sign_up: 'open',
      secret: secret('cookies'),
      providers: [{ id: 'id', kind: 'oidc', client_id: 'c', client_secret: secret('oidc'), issuer: NOWHERE }],
    },
    mail: {
      host: '127.0.0.1',
      port: mail.port,
      tls: 'none',
      from: 'gate@gate.test',
      user: 'user',
      password: secret('mail'),
    },
    metrics: { token: secret('metrics') },
    telemetry: {
      otlp: { endpoint: `${NOWHERE}/${secret('endpoint')}`, headers: { 'x-key': secret('traces') } },
    },
  },
});
afterAll(async () => {
  await server.stop();
  refusing.stop(true);
  mail.stop(true);
});

/** The secrets as they are, and as mail servers are sent them. */
const isShown = (text: string): string[] =>
  [/sesame-[a-z]+/g, /c2VzYW1l|NlbSlh|zZXNhbW|lc2FtZS/g].flatMap((form) => text.match(form) ?? []);

test('no secret of the configuration is in a log, an answer or a metric, whoever refuses it', async () => {
  const { key } = await server.createKey('enterprise');
  const answers: string[] = [];
  for (const model of ['refused', 'lost']) {
    const answer = await server.call('/v1/chat/completions', {
      headers: bearer(key),
      body: chatBody(model, {}),
    });
    expect(answer.status).toBe(503);
    answers.push(answer.text);
  }
  await server.admin('POST', '/alerts/test');
  const person = { name: 'Anna', email: 'anna@gate.test', password: 'a long enough password' };
  const signedUp = await callDashboard(server, '/session/sign-up', { body: person });
  expect(signedUp.status).toBe(200);
  answers.push(signedUp.text);
  await waitFor(() => server.log().includes('mail-failed'));
  const { paths } = (await server.call('/openapi.json')).body as { paths: Json };
  const lists = Object.entries<Json>(paths).filter(
    ([path, { get }]) => path.startsWith('/admin/v1/') && get !== undefined && !path.includes('{'),
  );
  expect(lists.length).toBeGreaterThan(15);
  for (const [path] of lists) {
    const { status, text } = await server.admin('GET', path.slice('/admin/v1'.length));
    expect({ path, status }).toEqual({ path, status: expect.any(Number) });
    answers.push(text);
  }
  const metrics = await server.call('/metrics', { headers: bearer(secret('metrics')) });
  expect(metrics.status).toBe(200);
  answers.push(metrics.text, server.log(), server.errors());
  for (const text of answers) expect(isShown(text)).toEqual([]);
});
