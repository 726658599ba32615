import { afterAll, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { bearer, chatBody } from '../support/call.ts';
import { isFull } from '../support/is-full.ts';
import { isLong } from '../support/is-long.ts';
import { residentMb } from '../support/process-memory.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

const MEGABYTE = 1024 * 1024;
/** In the ordinary run, an attack is as large as it must be to exceed the memory limit several times. */
const UPLOADS = isLong ? 300 : 50;
const STALLED_UPLOADS = isLong ? 1_500 : 800;
const LARGE_ANSWERS = isLong ? 10 : 5;

const CHAT = '/v1/chat/completions';
/** The dialects share the reader of answers. */
const PATHS = isFull ? ['/v1/messages', CHAT] : [CHAT];
const upstream = startRawUpstream();
/** Has the memory limit of a container of 512 MB. */
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    server: { memory_limit_mb: 512, body_timeout_s: 20 },
    plans: wideLimits,
    providers: [{ id: 'hidden-host', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: ['quick', 'huge'].map((id) =>
        ableModel(id, [{ provider: 'hidden-host', model: `hidden-${id}` }], { context_window: 10_000_000 }),
      ),
    },
    limits: { max_answer_mb: 40 },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
const attacker = await server.createKey('enterprise');
const bystander = await server.createKey('enterprise');

const answerOf = (content: string) =>
  JSON.stringify({
    id: 'hidden',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
const answering = (content: string) => {
  const body = answerOf(content);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`;
  return head + body;
};
upstream.answer('hidden-quick', async (answer) => {
  await Bun.sleep(50);
  answer.send(answering('done'));
  await answer.end();
});
const huge = answering('Words. '.repeat((30 * MEGABYTE) / 7));
upstream.answer('hidden-huge', async (answer) => {
  answer.send(huge);
  await answer.end();
});

/** Measures the server's largest resident size during some work. */
async function peakDuring<T>(work: Promise<T>): Promise<{ peakMb: number; result: T }> {
  let peakMb = residentMb(server.pid);
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(server.pid));
  }, 10);
  try {
    const result = await work;
    return { peakMb, result };
  } finally {
    clearInterval(watch);
  }
}

const ask = (key: string, model = 'quick') => server.chat(key, model).then(({ status }) => status);

/**
 * Sends a bystander's small requests one after the other until the attack is over and as many are answered.
 */
async function besides<T>(
  attack: Promise<T>,
  atLeast = 0,
): Promise<{ statuses: number[]; peakMb: number; result: T }> {
  let isOver = false;
  const statuses: number[] = [];
  const asking = (async () => {
    while (!isOver || statuses.length < atLeast) {
      statuses.push(await ask(bystander.key));
      await Bun.sleep(20);
    }
  })();
  const during = await peakDuring(attack).finally(() => {
    isOver = true;
  });
  await asking;
  return { statuses, ...during };
}

const long = JSON.stringify(
  chatBody('quick', { messages: [{ role: 'user', content: 'Words. '.repeat(1_410_000) }] }),
);

async function sendLong(): Promise<number> {
  try {
    const headers = bearer(attacker.key);
    const answer = await fetch(server.url + CHAT, { method: 'POST', headers, body: long });
    if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('1');
    await answer.text();
    return answer.status;
  } catch {
    return 0; // the connection closed before the whole body was sent
  }
}

/** Sends a request's head and the start of its body. */
function begin(length: number, body: string): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `POST ${CHAT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${attacker.key}\r\ncontent-length: ${length}\r\n\r\n${body}`,
  );
  return socket;
}

test('hundreds of megabytes of simultaneous bodies stay within 512 MB without harm to other accounts [ERR-29]', async () => {
  expect(long.length).toBeGreaterThan(9.8 * 1_000_000);
  const { statuses, peakMb, result } = await besides(
    Promise.all(Array.from({ length: UPLOADS }, () => sendLong())),
  );
  expect(peakMb).toBeLessThan(460);
  expect(result.filter((status) => status === 200).length).toBeGreaterThan(5);
  expect(new Set(result.filter((status) => status !== 0))).toEqual(new Set([200, 503]));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await sendLong()).toBe(200);
});

test('bodies whose last byte never arrives have bounded memory without harm to other accounts', async () => {
  const sockets = Array.from({ length: STALLED_UPLOADS }, () => begin(250_000, ' '.repeat(249_999)));
  try {
    const { statuses, peakMb } = await besides(Bun.sleep(2_000), 4);
    expect(peakMb).toBeLessThan(460);
    expect(new Set(statuses)).toEqual(new Set([200]));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const body = chatBody('quick', { messages: [{ role: 'user', content: 'x'.repeat(200_000) }] });
  await waitFor(async () => {
    const answer = await server.call(CHAT, { headers: bearer(attacker.key), body });
    return answer.status === 200;
  });
});

test('accepts a body of another account while nine uploads arrive slowly', async () => {
  const sockets = Array.from({ length: 9 }, () => begin(9_900_000, ' '.repeat(300_000)));
  const drip = setInterval(() => {
    for (const socket of sockets) socket.write(' '.repeat(7_000));
  }, 100);
  try {
    await Bun.sleep(500);
    const content = 'x'.repeat(2_000_000);
    const asked = performance.now();
    const { status } = await server.chat(bystander.key, 'quick', { messages: [{ role: 'user', content }] });
    expect(status).toBe(200);
    // The attack can last as long as `body_timeout_s` allows.
    expect(performance.now() - asked).toBeLessThan(15_000);
  } finally {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  }
});

test('refuses a compressed body that decodes to more than the size limit [ERR-43]', async () => {
  const bomb = new Uint8Array(brotliCompressSync(`{"messages":[${'[],'.repeat(3_000_000)}[]]}`));
  expect(bomb.byteLength).toBeLessThan(400);
  const answer = await server.call(CHAT, {
    headers: { ...bearer(attacker.key), 'content-encoding': 'br' },
    body: bomb,
  });
  expect({ status: answer.status, code: answer.body.error.code }).toEqual({
    status: 413,
    code: 'body_too_large',
  });
});

test.each(PATHS)('reads simultaneous answers of 30 MB one by one, to %s', async (path) => {
  const headers = { ...bearer(attacker.key), 'x-api-key': attacker.key };
  const one = async () => {
    const body = chatBody('huge', { max_tokens: 9 });
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    let length = 0;
    for await (const piece of answer.body!) length += piece.byteLength;
    if (answer.status === 200) expect(length).toBeGreaterThan(29 * MEGABYTE);
    return answer.status;
  };
  const { statuses, peakMb, result } = await besides(Promise.all(Array.from({ length: LARGE_ANSWERS }, one)));
  expect(peakMb).toBeLessThan(500);
  expect(result.filter((status) => status === 200).length).toBeGreaterThan(0);
  const shed = path === CHAT ? 503 : 529;
  expect(new Set(result).difference(new Set([200, shed])).size).toBe(0);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('names memory as the reason of a refusal in the log, the record and the metric [ADM-51]', async () => {
  upstream.answer('hidden-huge', async (answer) => {
    answer.send(answering('x'.repeat(36 * MEGABYTE)));
    await answer.end();
  });
  const { status, body, headers } = await server.chat(attacker.key, 'huge');
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'capacity_unavailable' });
  const id = headers.get('x-svc-request-id')!;
  await waitFor(() => server.log().includes(`"request_id":"${id}"`));
  const line = server
    .log()
    .split('\n')
    .find((text) => text.includes(`"request_id":"${id}"`))!;
  expect(JSON.parse(line)).toMatchObject({ code: 'capacity_unavailable', reason: 'memory' });
  const record = () => server.admin('GET', `/requests/${id}`);
  await waitFor(async () => (await record()).status === 200);
  expect((await record()).body.error).toMatchObject({ code: 'capacity_unavailable', reason: 'memory' });
  const metrics = (await server.call('/metrics')).text;
  expect(Number(/tollgate_refused_total\{reason="memory"\} (\d+)/.exec(metrics)![1])).toBeGreaterThan(0);
});

test('refuses an answer larger than limits.max_answer_mb', async () => {
  upstream.answer('hidden-huge', async (answer) => {
    answer.send(answering('x'.repeat(41 * MEGABYTE)));
    await answer.end();
  });
  const { status, body } = await server.chat(attacker.key, 'huge');
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
});
