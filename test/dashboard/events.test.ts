import { afterAll, expect, test } from 'bun:test';
import { startServer } from '../support/start-server.ts';
import { callDashboard, type SignedInPerson, signInAsOperator } from './sign-in.ts';
import { joinOrganization } from './support/join-organization.ts';
import { seededConfig } from './support/seed.ts';

const server = await startServer({ config: seededConfig });
afterAll(() => server.stop());
const operator = await signInAsOperator(server);
const own = await server.createKey('free');
const other = await server.createKey('free');
const invited = { account: own.account, email: 'member@example.com', role: 'viewer' } as const;
const member = await joinOrganization(server, operator, invited);

/** Reads the stream of events as a browser does. */
async function listen({ cookie }: Pick<SignedInPerson, 'cookie'>, query = '') {
  const answer = await fetch(`${server.url}/dashboard/v1/events${query}`, { headers: { cookie } });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (sign: string): Promise<string> => {
    while (!text.includes(sign)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended without ${sign}: ${text}`);
      text += value;
    }
    return text;
  };
  const ended = async () => {
    while (!(await reader.read()).done);
  };
  return { answer, until, ended, close: () => reader.cancel() };
}

test('pages follow requests: operators those of all accounts, members their own', async () => {
  const all = await listen(operator, '?topics=requests,figures');
  const part = await listen(member);
  expect({ status: all.answer.status, contentType: all.answer.headers.get('content-type') }).toEqual({
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
  });
  await Promise.all([all.until('retry'), part.until('retry')]);
  // A request is followed once the stream has found the place where it begins.
  const sendUntil = async (stream: typeof all, key: string) => {
    let isSeen = false;
    const seen = stream.until('event: request').then((text) => {
      isSeen = true;
      return text;
    });
    while (!isSeen) {
      await server.chat(key, 'sample-small');
      await Bun.sleep(300);
    }
    return seen;
  };
  expect(await sendUntil(all, other.key)).toContain(`"account_id":"${other.account}"`);
  const seen = await sendUntil(part, own.key);
  expect(seen).toContain(`"account_id":"${own.account}"`);
  expect(seen).not.toContain(other.account);
  expect(seen).not.toContain('simulator');
  expect(await all.until('event: figures')).toMatch(/event: figures\ndata: \{"requests":\d+/);
  const id = /id: (\S+)\nevent: request/.exec(seen)![1]!;
  expect(id).toMatch(/^\d+\.board_\w+\.\d+$/);
  await Promise.all([all.close(), part.close()]);
});

test('a signed-out visitor, an unknown topic and a foreign organization are refused', async () => {
  expect((await callDashboard(server, '/events')).status).toBe(401);
  const unknown = await member.call('/events?topics=requests,weather');
  expect(unknown).toMatchObject({ status: 400, body: { error: { param: 'topics' } } });
  expect((await member.call(`/events?account=${other.account}`)).status).toBe(404);
});

test('a stop of the server does not wait for open pages', async () => {
  const page = await listen(operator);
  await page.until('retry');
  const stopping = performance.now();
  await Promise.all([page.ended(), server.stop()]);
  expect(performance.now() - stopping).toBeLessThan(25_000);
});
