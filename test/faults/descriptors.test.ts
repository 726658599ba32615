import { afterAll, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { bearer, call, chatBody } from '../support/call.ts';
import { answerWell, startRecordingUpstream, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const LIMIT = 160;
const upstream = startRecordingUpstream();
const config = {
  simulator: { mode: 'off' },
  providers: [{ id: 'only', wire: 'openai-chat', base_url: upstream.url }],
  catalog: {
    default: false,
    models: [sampleModel('held', { routes: [{ provider: 'only', model: 'held' }] })],
  },
};
const isLinux = existsSync('/proc/self/fd');
const server = await startServer({ config, descriptors: LIMIT });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const health = async () => (await server.admin('GET', '/providers/only')).body.health;
const reported = (event: string) => server.log().split(`"event":"${event}"`).length - 1;
const metric = async (name: string): Promise<number> => {
  const { text } = await server.call('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};
/** Hundredths of a second that the program has been at work. */
const ticks = (): number => {
  const [user, system] = readFileSync(`/proc/${server.pid}/stat`, 'utf8')
    .split(') ')[1]!
    .split(' ')
    .slice(11, 13);
  return Number(user) + Number(system);
};

const sockets: Socket[] = [];
const address = new URL(server.url);
function openConnections(count: number): void {
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(address.port), address.hostname);
    socket.on('error', () => {});
    sockets.push(socket);
  }
}
const closeConnections = () => sockets.splice(0).forEach((socket) => void socket.destroy());

test.if(isLinux)('a connection without a free descriptor waits for one, which is logged once', async () => {
  expect(await metric('process_max_fds')).toBe(LIMIT);
  // The connections that are not accepted fit below the limit, so that they begin no second shortage.
  openConnections(LIMIT);
  await waitFor(() => reported('descriptors-short') === 1);
  await Bun.sleep(500);
  const before = ticks();
  await Bun.sleep(1_000);
  expect(ticks() - before).toBeLessThan(20); // it spun at a whole core
  closeConnections();
  await waitFor(() => reported('descriptors-enough') === 1);
  const { key } = await server.createKey('pro');
  upstream.answer('held', answerWell);
  expect((await server.chat(key, 'held')).status).toBe(200);
  expect({ health: await health(), errors: server.errors() }).toEqual({ health: 'up', errors: '' });
  expect(await metric('process_open_fds')).toBeLessThan(LIMIT / 2);
  expect(server.log()).not.toContain('"stack"');
});

test.if(isLinux)(
  'refuses other requests while requests hold the descriptors, and keeps the provider healthy',
  async () => {
    const { key } = await server.createKey('enterprise');
    const held: (() => void)[] = [];
    const hold: UpstreamAnswer = async (request) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return answerWell(request);
    };
    upstream.answer('held', hold);
    const ask = () =>
      call(`${server.url}/v1/chat/completions`, { headers: bearer(key), body: chatBody('held') }).catch(
        () => 'not accepted' as const,
      );
    const answers: ReturnType<typeof ask>[] = [];
    const refused: Awaited<ReturnType<typeof ask>>[] = [];
    for (let round = 0; refused.length === 0; round++) {
      for (let index = 0; index < 4; index++) {
        const asked = ask();
        answers.push(asked);
        void asked.then((answer) => held.length > 0 && refused.push(answer));
      }
      await Bun.sleep(120); // slightly longer than the interval at which descriptors are counted
      expect(round).toBeLessThan(LIMIT / 4);
    }
    const [first] = refused;
    if (first !== 'not accepted') {
      expect({ status: first!.status, code: first!.body.error.code }).toEqual({
        status: 503,
        code: 'capacity_unavailable',
      });
      expect(Number(first!.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    upstream.answer('held', answerWell);
    for (const release of held) release();
    const ended = await Promise.all(answers);
    const statuses = ended.map((answer) => (answer === 'not accepted' ? 503 : answer.status));
    expect(statuses.filter((status) => status === 200).length).toBe(held.length);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    await waitFor(async () => (await server.chat(key, 'held').catch(() => undefined))?.status === 200);
    expect({ health: await health(), errors: server.errors() }).toEqual({ health: 'up', errors: '' });
  },
);
