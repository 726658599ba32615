import { afterAll, beforeEach, expect, test } from 'bun:test';
import { commands } from './commands.ts';
import { listAnswer } from './testing/list-answer.ts';
import { runCaptured } from './testing/run-captured.ts';

const accounts = Array.from({ length: 1_203 }, (_, index) => ({
  id: `acct_${index}`,
  name: `Customer ${index}`,
}));
accounts.push(
  { id: 'acct_a', name: 'Twin' },
  { id: 'acct_b', name: 'Twin' },
  { id: 'acct_z', name: 'Zoë & Co' },
);
const calls: string[] = [];

/** Lists the accounts in pages, and answers any other call with an account or a list. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace('/admin/v1', '');
    if (request.method !== 'GET' || path !== '/accounts') {
      calls.push(`${request.method} ${path}`);
      return Response.json({ ...listAnswer([]), faults: [], id: 'acct_1100' });
    }
    const start = accounts.findIndex(({ id }) => id === searchParams.get('after')) + 1;
    const page = accounts.slice(start, start + Number(searchParams.get('limit')));
    return Response.json({ ...listAnswer(page), has_more: start + page.length < accounts.length });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => void calls.splice(0));

const run = (args: string[]) => runCaptured([...args, '--url', server.url.href, '--admin-token', 't']);

test('an account is found by its name, on any page', async () => {
  for (const [name, id] of [
    ['Customer 3', 'acct_3'],
    ['Customer 1202', 'acct_1202'],
    ['Zoë & Co', 'acct_z'],
    ['acct_7', 'acct_7'],
  ] as const) {
    expect((await run(['account', 'suspend', name])).code).toBe(0);
    expect(calls.splice(0)).toEqual([`PATCH /accounts/${id}`]);
  }
});

test('every command that takes an account finds it by its name', async () => {
  const accountCommands = commands.filter(
    ({ name, positionals }) =>
      name !== 'ledger repair' && positionals?.some((positional) => positional.name === 'ACCOUNT'),
  );
  expect(accountCommands.length).toBeGreaterThan(10);
  for (const { name, positionals } of accountCommands) {
    const rest = positionals!.slice(1).map(({ choices }) => choices?.[0] ?? '5');
    await run([...name.split(' '), 'Customer 1100', ...rest]);
    expect({ name, allFit: calls.splice(0).every((call) => call.includes('/accounts/acct_1100')) }).toEqual({
      name,
      allFit: true,
    });
  }
});

test('a name that two accounts have is refused with both ids', async () => {
  expect(await run(['account', 'close', 'Twin', '--yes'])).toEqual({
    code: 1,
    printed: '',
    remarked: "tollgate: 2 accounts have the name 'Twin': acct_a, acct_b; use an id.",
  });
  expect(calls).toEqual([]);
});

test('an account that does not exist is reported with the name that is probably meant', async () => {
  expect((await run(['account', 'show', 'Custmer 3'])).remarked).toMatch(
    /^tollgate: no account has the id or the name 'Custmer 3'; did you mean 'Customer \d+'\?$/,
  );
  expect((await run(['account', 'show', 'nobody at all'])).remarked).toBe(
    "tollgate: no account has the id or the name 'nobody at all'.",
  );
});
