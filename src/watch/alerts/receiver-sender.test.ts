import { afterAll, expect, test } from 'bun:test';
import { receiverSender } from './receiver-sender.ts';

let calls = 0;
const inside = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    calls += 1;
    return new Response('');
  },
});
afterAll(() => inside.stop(true));

const mails: string[][] = [];
const addresses: Record<string, string[]> = {
  'inside.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.216.34', '10.0.0.1'],
  'mapped.example.com': ['::ffff:169.254.169.254'],
  'local6.example.com': ['fd00::1'],
};
const senderFor = (allowsPrivate: boolean) =>
  receiverSender({
    allowsPrivate: () => allowsPrivate,
    lookUp: async (name) => addresses[name] ?? [],
    mailer: {
      isReady: () => true,
      send: async (to, subject, text) => void mails.push([to, subject, text]),
    },
  });
const send = (url: string, { allowsPrivate = false } = {}) =>
  senderFor(allowsPrivate)(
    {
      webhook: { url, secret: 's', events: null, accountId: 'acct_1' },
      header: 'x-signature',
      now: 0,
      body: '{"event":"credits_low","message":"Low.","created_at":"2026-01-01T00:00:00Z"}',
    },
    new AbortController().signal,
  );

test("an organization's webhook cannot reach private, loopback and link-local addresses", async () => {
  const { port } = inside;
  const urls = [
    `https://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/`,
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://metadata.internal/',
    ...Object.keys(addresses).map((name) => `https://${name}:${port}/`),
  ];
  for (const url of urls) {
    const { ok, error } = await send(url);
    expect({ url, ok, error }).toEqual({
      url,
      ok: false,
      error: 'The address of the webhook is not on the public internet.',
    });
  }
  expect((await send('https://unknown.example.com/')).error).toBe('The name of the webhook has no address.');
  expect(calls).toBe(0);
});

test('private addresses can be allowed', async () => {
  expect((await send(`http://127.0.0.1:${inside.port}/`, { allowsPrivate: true })).ok).toBe(true);
  expect(calls).toBe(1);
});

test('an alert goes out by mail, with a subject for its event', async () => {
  expect((await send('mailto:a@example.com')).ok).toBe(true);
  expect(mails).toEqual([['a@example.com', 'Credits are low', 'Low.\n\n2026-01-01T00:00:00Z\n']]);
});
