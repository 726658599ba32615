import { connect, type Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { dashboardFlood } from './dashboard-flood.ts';
import { idleStreams } from './idle-streams.ts';
import { signInFlood } from './sign-in-flood.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';

/** Runs an attack and resolves to a summary of the outcome. */
export type Attack = (gateway: StrainedGateway) => Promise<string>;

/** Sign-ins of 256 networks of one /56 over 400 connections. It needs `floodSettings`. */
export const SIGN_IN_FLOOD = 'sign-ins of one /56';

/** One member reads pages of the dashboard over 40 connections. It needs `floodSettings`. */
export const DASHBOARD_FLOOD = 'pages of one member';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';

const headersOf = ({ key }: StrainedGateway) => ({ authorization: `Bearer ${key}`, 'x-api-key': key });

const chat = (fields: object): string =>
  JSON.stringify({ model: 'thinks', messages: [{ role: 'user', content: 'hi' }], ...fields });
const longChat = (bytes: number): string => {
  const content = 'Words of a question. '.repeat(bytes / 21);
  return chat({ messages: [{ role: 'user', content }] });
};

function report(statuses: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ');
}

type Sending = {
  body: string | Uint8Array<ArrayBuffer>;
  path?: string;
  times?: number;
  headers?: Record<string, string>;
};

async function send(
  gateway: StrainedGateway,
  { body, path = CHAT, times = 1, headers }: Sending,
): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const one = async (): Promise<number> => {
    try {
      const init = { method: 'POST', headers: { ...headersOf(gateway), ...headers }, body: bytes };
      const answer = await fetch(gateway.url + path, init);
      for await (const _ of answer.body ?? []);
      return answer.status;
    } catch {
      return 0;
    }
  };
  return report(await Promise.all(Array.from({ length: times }, one)));
}

/** Sends a request's head and the beginning of its body over a separate socket. */
function begin(
  { port, key }: StrainedGateway,
  { length, body, path = CHAT }: { length: number; body: string; path?: string },
): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: ${length}\r\n\r\n${body}`,
  );
  return socket;
}

async function withheld(gateway: StrainedGateway): Promise<string> {
  const body = longChat(250_000);
  const sockets = Array.from({ length: 1_500 }, () =>
    begin(gateway, { length: body.length, body: body.slice(0, -1) }),
  );
  await Bun.sleep(8_000);
  for (const socket of sockets) socket.destroy();
  return '';
}

async function trickling(gateway: StrainedGateway): Promise<string> {
  const start = ' '.repeat(300_000);
  const sockets = Array.from({ length: 9 }, () => begin(gateway, { length: 9_900_000, body: start }));
  const drip = setInterval(() => {
    for (const socket of sockets) socket.write(' '.repeat(7_000));
  }, 100);
  await Bun.sleep(1_000);
  const asked = performance.now();
  const other = await fetch(gateway.url + CHAT, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.bystander}` },
    body: longChat(1_000_000),
  });
  await other.text();
  const tookMs = performance.now() - asked;
  clearInterval(drip);
  for (const socket of sockets) socket.destroy();
  return `a bystander's body of 1 MB: ${other.status} after ${tookMs.toFixed(0)} ms`;
}

async function stalledReaders(gateway: StrainedGateway): Promise<string> {
  const body = chat({ model: 'stream-24', stream: true });
  const sockets = Array.from({ length: 500 }, () => begin(gateway, { length: body.length, body }));
  for (const socket of sockets) socket.once('data', () => socket.pause());
  await Bun.sleep(12_000);
  for (const socket of sockets) socket.destroy();
  return '';
}

const lists = (count: number) => ({
  messages: Array.from({ length: count }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: 'hi',
  })),
  tools: Array.from({ length: count }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
    },
  })),
});
const messageTools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    input_schema: { type: 'object', properties: { a: { type: 'string' } } },
  }));
const bomb = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(brotliCompressSync(`{"model":"thinks","messages":[${'[],'.repeat(480_000)}[]]}`));

export const attacks: Readonly<Record<string, Attack>> = {
  'body of 9.9 MB': (to) => send(to, { body: longChat(9_900_000) }),
  'body of 9.9 MB, translated': (to) =>
    send(to, { body: longChat(9_900_000).replace('"model"', '"max_tokens":9,"model"'), path: MESSAGES }),
  '10 MB of escapes': (to) =>
    send(to, {
      body: `{"model":"thinks","messages":[{"role":"user","content":"${'\\u0041'.repeat(1_650_000)}"}]}`,
    }),
  '10 MB of newlines': (to) =>
    send(to, {
      body: `{"model":"thinks","messages":[{"role":"user","content":"${'\\n'.repeat(4_950_000)}"}]}`,
    }),
  '10,000 messages': (to) => send(to, { body: chat({ messages: lists(10_000).messages }) }),
  '10,000 messages, translated': (to) =>
    send(to, { body: chat({ messages: lists(10_000).messages, max_tokens: 9 }), path: MESSAGES }),
  '10,000 tools': (to) => send(to, { body: chat({ tools: lists(10_000).tools }) }),
  '10,000 tools, translated': (to) =>
    send(to, { body: chat({ tools: messageTools(10_000), max_tokens: 9 }), path: MESSAGES }),
  '490,000 values': (to) => send(to, { body: chat({ metadata: Array.from({ length: 490_000 }, () => []) }) }),
  'brotli bomb': (to) => send(to, { body: bomb(), headers: { 'content-encoding': 'br' } }),
  'answer of 60 MB': (to) => send(to, { body: chat({ model: 'whole-60' }) }),
  'answer of 60 MB, translated': (to) =>
    send(to, { body: chat({ model: 'whole-60', max_tokens: 9 }), path: MESSAGES }),
  '10 answers of 60 MB, translated': (to) =>
    send(to, { body: chat({ model: 'whole-60', max_tokens: 9 }), path: MESSAGES, times: 10 }),
  'idle streams': idleStreams(CHAT),
  'idle streams, translated': idleStreams(MESSAGES),
  'trickling uploads': trickling,
  '1,500 bodies withheld': withheld,
  '500 stalled readers': stalledReaders,
  '150 bodies of 9.9 MB': (to) => send(to, { body: longChat(9_900_000), times: 150 }),
  '500 bodies of 9.9 MB': (to) => send(to, { body: longChat(9_900_000), times: 500 }),
  [SIGN_IN_FLOOD]: signInFlood,
  [DASHBOARD_FLOOD]: dashboardFlood,
};
