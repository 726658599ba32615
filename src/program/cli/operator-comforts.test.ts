import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { commands } from './commands.ts';
import { formatCsv } from './format-csv.ts';
import { runCaptured } from './testing/run-captured.ts';

type Account = { id: string; name: string };

const accounts: Account[] = Array.from({ length: 1_203 }, (_, index) => ({
  id: `acct_${index}`,
  name: `Customer ${index}`,
}));
accounts.push(
  { id: 'acct_a', name: 'Twin' },
  { id: 'acct_b', name: 'Twin' },
  { id: 'acct_z', name: 'Zoë & Co' },
);
const calls: string[] = [];

/** Lists the accounts in pages, and answers everything else with a fixed list. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace('/admin/v1', '');
    if (path === '/tokens') return Response.json(listOf([]));
    if (request.method !== 'GET' || path !== '/accounts') {
      calls.push(`${request.method} ${path}`);
      return Response.json(path.split('/').length === 3 ? accounts.at(-1) : listOf(items));
    }
    const start = accounts.findIndex(({ id }) => id === searchParams.get('after')) + 1;
    const page = accounts.slice(start, start + Number(searchParams.get('limit')));
    return Response.json({ ...listOf(page), has_more: start + page.length < accounts.length });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => void calls.splice(0));

const items = [
  { id: 'a', name: 'Plain', tags: ['x'], credits: { limit: 1, remaining: null }, extra: null },
  {
    id: 'b',
    name: 'Quote " and, comma\nline\u001b[31m',
    tags: [],
    credits: { limit: 2, remaining: 5 },
    extra: { n: 1 },
  },
];
const listOf = (data: readonly { id: string }[]) => ({
  object: 'list',
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: false,
  faults: [],
});

const run = (args: string[], operator = {}) =>
  runCaptured([...args, '--url', server.url.href, '--admin-token', 't'], {}, operator);

describe('an account', () => {
  test('is found by its name, on any page', async () => {
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

  test('is found by its name by every command that takes one', async () => {
    const taking = commands.filter(
      ({ name, positionals }) =>
        name !== 'ledger repair' && positionals?.some((positional) => positional.name === 'ACCOUNT'),
    );
    expect(taking.length).toBeGreaterThan(10);
    for (const { name, positionals } of taking) {
      const rest = positionals!.slice(1).map(({ choices }) => choices?.[0] ?? '5');
      await run([...name.split(' '), 'Customer 1100', ...rest]);
      expect([name, calls.splice(0).every((call) => call.includes('/accounts/acct_1100'))]).toEqual([
        name,
        true,
      ]);
    }
  });

  test('is not chosen if two have the name; both ids are reported', async () => {
    expect(await run(['account', 'close', 'Twin', '--yes'])).toEqual({
      code: 1,
      printed: '',
      remarked: "tollgate: 2 accounts have the name 'Twin': acct_a, acct_b; use an id.",
    });
    expect(calls).toEqual([]);
  });

  test('that does not exist is reported with the name that is probably meant', async () => {
    expect((await run(['account', 'show', 'Custmer 3'])).remarked).toMatch(
      /^tollgate: no account has the id or the name 'Custmer 3'; did you mean 'Customer \d+'\?$/,
    );
    expect((await run(['account', 'show', 'nobody at all'])).remarked).toBe(
      "tollgate: no account has the id or the name 'nobody at all'.",
    );
  });
});

describe('closing and revoking', () => {
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
        expect([answer, code, questions]).toEqual([
          answer,
          isDone ? 0 : 1,
          [expect.stringMatching(/_1.*\? .*\[y\/N\] $|acct_z.*\[y\/N\] $/)],
        ]);
        if (!isDone) expect(remarked).toBe('tollgate: nothing was changed.');
        expect(calls.splice(0).includes(call)).toBe(isDone);
        expect((await run([...args, '--yes'], { ask })).code).toBe(0);
        expect([calls.splice(0), questions.length]).toEqual([[call], 1]);
      }
    });

    test(`${args.slice(0, 2).join(' ')} does not ask without a terminal`, async () => {
      expect((await run(args)).code).toBe(0);
      expect(calls).toEqual([call]);
    });
  }
});

describe('lists', () => {
  const lists = commands.filter(
    ({ name }) => /(^| )list$/.test(name) || /^account (ledger|usage)$/.test(name),
  );

  test('have --json, --jsonl and --csv, all of them', () => {
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'account list',
        'key list',
        'catalog list',
        'provider list',
        'batch list',
        'audit list',
      ]),
    );
    for (const { name, options } of lists)
      expect([name, 'json' in options!, 'jsonl' in options!, 'csv' in options!]).toEqual([
        name,
        true,
        true,
        true,
      ]);
  });

  test('print a line of JSON for each item with --jsonl', async () => {
    const { printed } = await run(['key', 'list', 'acct_1', '--jsonl']);
    expect(printed.split('\n').map((line) => JSON.parse(line))).toEqual(items);
  });

  test('disarm texts with --csv that a spreadsheet would run as formulas, and leave numbers', () => {
    const rows = [
      { name: '=HYPERLINK("http://x")', amount: -12.5 },
      { name: ' +1+cmd', amount: 1e-7 },
      { name: '@SUM(A1)', amount: 3 },
      { name: '-2+3', amount: -0 },
      { name: 'a=b', amount: 4 },
    ];
    expect(formatCsv(rows).split('\n')).toEqual([
      'name,amount',
      `"'=HYPERLINK(""http://x"")",-12.5`,
      "' +1+cmd,1e-7",
      "'@SUM(A1),3",
      "'-2+3,0",
      'a=b,4',
    ]);
  });

  test('print all fields with --csv, quoted where needed and without control characters', async () => {
    expect((await run(['key', 'list', 'acct_1', '--csv'])).printed).toBe(
      [
        'id,name,tags,credits.limit,credits.remaining,extra.n',
        'a,Plain,"[""x""]",1,,',
        'b,"Quote "" and, comma',
        'line[31m",[],2,5,1',
      ].join('\n'),
    );
  });

  test('print the header of an empty list with --csv', async () => {
    expect((await run(['token', 'list', '--csv'])).printed).toMatch(/^id,name,role,[a-z_,]+$/);
  });

  test('refuse two formats at a time', async () => {
    const { code, remarked } = await run(['key', 'list', 'acct_1', '--csv', '--json']);
    expect([code, remarked]).toEqual([2, expect.stringContaining('--json and --csv cannot be combined')]);
  });

  test('use colour only on a terminal', async () => {
    const plain = await run(['key', 'list', 'acct_1']);
    const bold = await run(['key', 'list', 'acct_1'], { hasColour: true });
    expect(plain.printed).not.toContain('\u001b');
    expect(bold.printed).toStartWith('\u001b[1mID ');
    expect(Bun.stripANSI(bold.printed)).toBe(plain.printed);
  });
});
