import { afterAll, expect, test } from 'bun:test';
import { commands } from './commands.ts';
import { listAnswer } from './testing/list-answer.ts';
import { runCaptured } from './testing/run-captured.ts';

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
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => Response.json(listAnswer(new URL(url).pathname.endsWith('/tokens') ? [] : items)),
});
afterAll(() => server.stop(true));

const run = (args: string[], operator = {}) =>
  runCaptured([...args, '--url', server.url.href, '--admin-token', 't'], {}, operator);

const listCommands = commands.filter(
  ({ name }) => /(^| )list$/.test(name) || /^account (ledger|usage)$/.test(name),
);

test('every list has --json, --jsonl and --csv', () => {
  expect(listCommands.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'account list',
      'key list',
      'catalog list',
      'provider list',
      'batch list',
      'audit list',
    ]),
  );
  for (const { name, options } of listCommands)
    expect([name, 'json' in options!, 'jsonl' in options!, 'csv' in options!]).toEqual([
      name,
      true,
      true,
      true,
    ]);
});

test('--jsonl prints a line of JSON for each item', async () => {
  const { printed } = await run(['key', 'list', 'acct_1', '--jsonl']);
  expect(printed.split('\n').map((line) => JSON.parse(line))).toEqual(items);
});

test('--csv prints all fields, quoted where needed and without control characters', async () => {
  expect((await run(['key', 'list', 'acct_1', '--csv'])).printed).toBe(
    [
      'id,name,tags,credits.limit,credits.remaining,extra.n',
      'a,Plain,"[""x""]",1,,',
      'b,"Quote "" and, comma',
      'line[31m",[],2,5,1',
    ].join('\n'),
  );
});

test('--csv prints the header of an empty list', async () => {
  expect((await run(['token', 'list', '--csv'])).printed).toMatch(/^id,name,role,[a-z_,]+$/);
});

test('two formats at a time are refused', async () => {
  const { code, remarked } = await run(['key', 'list', 'acct_1', '--csv', '--json']);
  expect({ code, remarked }).toEqual({
    code: 2,
    remarked: expect.stringContaining('--json and --csv cannot be combined'),
  });
});

test('lists have colour only on a terminal', async () => {
  const plain = await run(['key', 'list', 'acct_1']);
  const bold = await run(['key', 'list', 'acct_1'], { hasColour: true });
  expect(plain.printed).not.toContain('\u001b');
  expect(bold.printed).toStartWith('\u001b[1mID ');
  expect(Bun.stripANSI(bold.printed)).toBe(plain.printed);
});
