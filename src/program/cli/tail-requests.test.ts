import { afterAll, expect, test } from 'bun:test';
import { runCaptured } from './testing/run-captured.ts';

const request = (id: string, second: number, fields = {}) => ({
  id,
  ended_at: new Date(1e12 + second * 1_000).toISOString(),
  duration_ms: 12.4,
  account_id: 'acct_1',
  key_id: null,
  key_name: null,
  status: 200,
  error: null,
  model: 'small',
  provider: 'local',
  attempts: [],
  ...fields,
});

const first = request('req_1', 0);
const second = request('req_2', 1, {
  key_id: 'key_1',
  status: 502,
  error: { code: 'upstream_unavailable', message: 'The model is not available.' },
  attempts: [{ error: { message: 'wrong\u001b[31m key' } }],
});
const third = request('req_3', 2, {
  key_id: 'key_2',
  key_name: 'laptop',
  status: null,
  provider: null,
  error: { code: 'canceled', message: null },
});

/** Answers the first two looks, is away for one, and then has two more requests. */
let looks = 0;
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    looks++;
    if (looks === 3) return new Response('restarting', { status: 502 });
    const data = looks < 3 ? [first] : [third, second, first];
    return Response.json({ data, has_more: false, last_id: data.at(-1)!.id });
  },
});
afterAll(() => server.stop(true));

const tail = (args: string[], { hasColour = false } = {}) => {
  looks = 0;
  const access = ['--url', server.url.href, '--admin-token', 't', '--interval', '0.1'];
  return runCaptured(['logs', 'tail', ...args, ...access], {}, { hasColour });
};

test('the tail shows causes of failures, even across a restart of the server', async () => {
  const { code, printed, remarked } = await tail(['--count', '3']);
  expect(code).toBe(0);
  expect(printed.split('\n')).toEqual([
    '2001-09-09T01:46:40.000Z  200  req_1  small  local  12 ms  acct_1  -',
    '2001-09-09T01:46:41.000Z  502  req_2  small  local  12 ms  acct_1  key_1  upstream_unavailable: wrong\\u{001b}[31m key',
    '2001-09-09T01:46:42.000Z  -  req_3  small  -  12 ms  acct_1  laptop  canceled: -',
  ]);
  expect(remarked).toMatch(
    /answered 502 without JSON: is this a Tollgate server\? The command tries again\.$/,
  );
});

test('a token that is revoked meanwhile ends the command at once', async () => {
  let answers = 0;
  const refusing = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      ++answers < 3
        ? Response.json({ data: [first], has_more: false, last_id: first.id })
        : Response.json({ error: { message: 'This admin token is revoked.' } }, { status: 401 }),
  });
  const access = ['--url', refusing.url.href, '--admin-token', 't', '--interval', '0.1'];
  const { code, remarked } = await runCaptured(['logs', 'tail', ...access]);
  await refusing.stop(true);
  expect({ code, remarked, answers }).toEqual({
    code: 1,
    remarked: 'tollgate: This admin token is revoked.',
    answers: 3,
  });
});

test('a reader that leaves ends the command, whose earlier requests are one page', async () => {
  const access = ['--url', server.url.href, '--admin-token', 't', '--interval', '0.1'];
  looks = 0;
  const { code, printed } = await runCaptured(
    ['logs', 'tail', ...access],
    {},
    { isOutputClosed: () => true },
  );
  expect({ code, count: printed.split('\n').length }).toEqual({ code: 0, count: 1 });
  const { code: refused, remarked } = await tail(['--lines', '1001']);
  expect({ refused, remarked }).toEqual({ refused: 2, remarked: expect.stringContaining('from 0 to 1000') });
});

test('statuses have colours on a terminal', async () => {
  const { printed } = await tail(['--count', '2'], { hasColour: true });
  expect(printed).toContain('\u001b[32m200\u001b[0m');
  expect(printed).toContain('\u001b[31m502\u001b[0m');
});

test('a server that cannot be reached at the beginning ends the command', async () => {
  const args = ['logs', 'tail', '--url', 'http://127.0.0.1:9', '--admin-token', 't'];
  expect((await runCaptured(args)).code).toBe(1);
});

test('--json prints the records unchanged', async () => {
  const { printed } = await tail(['--json', '--count', '1']);
  expect(JSON.parse(printed)).toEqual(first);
});
