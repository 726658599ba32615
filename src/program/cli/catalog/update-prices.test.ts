import { afterAll, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../store/sqlite/testing/temporary-directory.ts';
import { runCaptured } from '../testing/run-captured.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

const ours = `# ours
brand: svc
catalog:
  default: false
  models:
    - id: "@svc/one" # the first
      context_window: 1000
      pricing_usd_per_mtok: { input: 1, output: 2 }
    - { id: two, aliases: [zwei], context_window: 1000, pricing_usd_per_mtok: { input: 3, output: 4 } }
`;
const prices = `source: https://prices.example.com/today
prices:
  one: { input: 1.5, output: 2, cached_input: 0.1 }
  zwei: { input: 3, output: 4 }
  three: { input: 9, output: 9 }
`;

function write(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

const update = (given: string, file: string, ...more: string[]) =>
  runCaptured(['catalog', 'update', given, '--config', file, ...more]);

test('catalog update prints the changes that it adds to the rest of the file', async () => {
  const given = write('prices.yaml', prices);
  const file = write('ours.yaml', ours);
  chmodSync(file, 0o640);
  const dry = await update(given, file, '--dry-run');
  expect({ code: dry.code, content: readFileSync(file, 'utf8') }).toEqual({ code: 0, content: ours });
  expect(dry.remarked).toBe('Skipped, because no model has this name: three');
  const rows = dry.printed.split('\n').map((line) => line.trim().split(/\s+/));
  expect(rows).toEqual([
    ['MODEL', 'ROW', 'FIELD', 'FROM', 'TO'],
    ['@svc/one', 'base', 'input', '1', '1.5'],
    ['@svc/one', 'base', 'cached_input', '–', '0.1'],
  ]);
  const { code, printed } = await update(given, file);
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringContaining(`${file} is changed.`) });
  expect(readFileSync(file, 'utf8')).toBe(
    `${ours}  prices:\n    "@svc/one": { input: 1.5, output: 2, cached_input: 0.1 }\n`,
  );
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(await update(given, file)).toMatchObject({ code: 0, printed: 'No price changes.' });
});

test('prices of the default catalog are replaced too, from JSON and with JSON as the answer', async () => {
  const given = write('prices.json', JSON.stringify({ prices: { 'gpt-4o': { input: 2, output: 8 } } }));
  const file = write('default.yaml', '# nothing else\n');
  const { code, printed } = await update(given, file, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toEqual({
    file,
    changes: [
      { model: 'gpt-4o', row: 'base', field: 'input', from: 2.5, to: 2 },
      { model: 'gpt-4o', row: 'base', field: 'output', from: 10, to: 8 },
      { model: 'gpt-4o', row: 'base', field: 'cached_input', from: 1.25, to: null },
    ],
    accounts: [],
    skipped: [],
    written: true,
    reloaded: false,
  });
  const check = await runCaptured(['config', 'check', file]);
  expect({ code: check.code, content: readFileSync(file, 'utf8') }).toEqual({
    code: 0,
    content: '# nothing else\ncatalog:\n  prices:\n    gpt-4o: { input: 2, output: 8 }\n',
  });
});

test('an operator who says no changes nothing', async () => {
  const given = write('prices.yaml', prices);
  const file = write('kept.yaml', ours);
  const args = ['catalog', 'update', given, '--config', file];
  const { code } = await runCaptured(args, {}, { ask: async () => 'n' });
  expect({ code, content: readFileSync(file, 'utf8') }).toEqual({ code: 1, content: ours });
});

for (const [what, text, reason] of [
  ['a negative price', 'prices:\n  one: { input: -1, output: 2 }\n', /prices\.yaml:2:\d+ prices\.one\.input/],
  ['a missing price', 'prices:\n  one: { input: 1 }\n', /prices\.one\.output/],
  ['another field', 'prices: {}\nprice: 1\n', /prices\.yaml:2:1 price/],
  ['no prices', 'source: here\n', /prices/],
  [
    'two names of one model',
    'prices:\n  one: { input: 1, output: 1 }\n  svc-one: { input: 2, output: 2 }\n',
    /names of one model/,
  ],
] as const)
  test(`a price file with ${what} is refused`, async () => {
    const given = write('prices.yaml', text);
    const file = write('ours.yaml', ours);
    const { code, remarked } = await update(given, file);
    expect({ code, remarked, content: readFileSync(file, 'utf8') }).toEqual({
      code: 1,
      remarked: expect.stringMatching(reason),
      content: ours,
    });
  });

test('a price in the configuration must be that of a model', async () => {
  const file = write('wrong.yaml', 'catalog:\n  prices:\n    gpt-4oo: { input: 1, output: 1 }\n');
  const { code, remarked } = await runCaptured(['config', 'check', file]);
  expect({ code, remarked }).toEqual({
    code: 1,
    remarked: expect.stringMatching(/:3:5 catalog\.prices\.gpt-4oo.*did you mean/),
  });
});

test('catalog update needs a configuration file', async () => {
  const { code, remarked } = await runCaptured(['catalog', 'update', write('prices.yaml', prices)]);
  expect({ code, remarked }).toEqual({ code: 2, remarked: expect.stringContaining('TOLLGATE_CONFIG') });
});
