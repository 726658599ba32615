import { afterAll, beforeEach, expect, test } from 'bun:test';
import { runCaptured } from './testing/run-captured.ts';

const calls: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ method, url }) {
    calls.push(`${method} ${new URL(url).pathname.replace('/admin/v1', '')}`);
    return Response.json({ id: 'x' });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => void calls.splice(0));

const run = (args: string[], operator = {}) =>
  runCaptured([...args, '--url', server.url.href, '--admin-token', 't'], {}, operator);

const changes = [
  { args: ['account', 'close', 'acct_1'], call: 'PATCH /accounts/acct_1' },
  { args: ['key', 'revoke', 'key_1'], call: 'DELETE /keys/key_1' },
];
for (const { args, call } of changes) {
  test(`${args.slice(0, 2).join(' ')} asks on a terminal, unless --yes is given`, async () => {
    for (const [answer, isDone] of [
      ['y', true],
      ['YES', true],
      ['', false],
      ['n', false],
      ['yesterday', false],
    ] as const) {
      const questions: string[] = [];
      const ask = async (question: string) => {
        questions.push(question);
        return answer;
      };
      const { code, remarked } = await run(args, { ask });
      expect({ answer, code, questions }).toEqual({
        answer,
        code: isDone ? 0 : 1,
        questions: [expect.stringMatching(/_1.*\? .*\[y\/N\] $|acct_z.*\[y\/N\] $/)],
      });
      if (!isDone) expect(remarked).toBe('tollgate: nothing was changed.');
      expect(calls.splice(0).includes(call)).toBe(isDone);
      expect((await run([...args, '--yes'], { ask })).code).toBe(0);
      expect(calls.splice(0)).toEqual([call]);
      expect(questions).toHaveLength(1);
    }
  });

  test(`${args.slice(0, 2).join(' ')} does not ask without a terminal`, async () => {
    expect((await run(args)).code).toBe(0);
    expect(calls).toEqual([call]);
  });
}
