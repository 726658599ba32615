import { afterAll, expect, test } from 'bun:test';
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../store/sqlite/testing/temporary-directory.ts';
import { runCaptured } from '../testing/run-captured.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

function write(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

const OLD = '2020-01-01';
const config = (more = '') => `catalog:
  default: false
  models:
    - id: one
      context_window: 1000
      pricing_usd_per_mtok:
        input: 1
        output: 2
        conditions:
          - { name: later, from: 2199-01-01, until: 2199-02-01, factor: 2, confirmed_at: ${OLD} }
    - { id: two, context_window: 1000, pricing_usd_per_mtok: { input: 1, output: 2 } }
${more}`;

test('catalog check warns about old prices and lists future changes', async () => {
  const file = write('check.yaml', config());
  const { code, printed } = await runCaptured(['catalog', 'check', file]);
  expect(code).toBe(0);
  expect(printed.split('\n')).toEqual([
    expect.stringContaining('.routes: is empty'),
    expect.stringContaining('.routes: is empty'),
    `${file} is valid.`,
    `warn one: the price row later was last confirmed on ${OLD}, more than 90 days ago`,
    '2199-01-01T00:00:00.000Z one: the price row later begins',
    '2199-02-01T00:00:00.000Z one: the price row later ends',
  ]);
  const json = await runCaptured(['catalog', 'check', file, '--json']);
  expect(JSON.parse(json.printed)).toMatchObject({
    ok: true,
    unconfirmed: [{ model: 'one', row: 'later', confirmed_at: OLD }],
    ahead: [{ change: 'from' }, { change: 'until' }],
  });
});

test('catalog check without a file checks the default catalog, whose unconfirmed rows it names', async () => {
  const { code, printed } = await runCaptured(['catalog', 'check']);
  expect(code).toBe(0);
  expect(printed).toContain('warn claude-fable-5-2: the price row base is not confirmed');
});

test('config check warns about conditions that catalog.prices loses', async () => {
  const file = write('lost.yaml', 'catalog: { prices: { gpt-6-sol: { input: 2, output: 10 } } }\n');
  const { code, printed } = await runCaptured(['config', 'check', file]);
  expect(code).toBe(0);
  expect(printed).toContain('these rows of the default catalog are lost: long');
});

test.each<[conditions: string, message: string]>([
  ['[{ name: base }]', "must not be 'base'"],
  ['[{ name: a }, { name: a }]', 'must be unique'],
  ['[{ name: a, from: 2026-02-30 }]', 'must exist; there is no 2026-02-30'],
  ['[{ name: a, from: 2026-03-02, until: 2026-03-01 }]', 'must be after from'],
  ['[{ name: a, hours: [{ from: "24:00", to: "01:00" }] }]', 'a time such as 01:00'],
  ['[{ name: A }]', '1 to 40 lowercase letters'],
])('the conditions %s are refused', async (conditions, message) => {
  const file = write(
    'bad.yaml',
    `catalog: { prices: { gpt-4o: { input: 1, output: 1, conditions: ${conditions} } } }\n`,
  );
  const { code, remarked } = await runCaptured(['config', 'check', file]);
  expect(code).toBe(1);
  expect(remarked).toContain(message);
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
const signedFile = (name: string, text: string): string => {
  write(`${name}.sig`, sign(null, Buffer.from(text), privateKey).toString('base64'));
  return write(name, text);
};
const prices = (issued: string, input: number) => `issued_at: ${issued}
prices:
  one:
    { input: ${input}, output: 2, confirmed_at: 2026-11-20,
      conditions: [{ name: night, hours: [{ from: "22:00", to: "06:00" }], factor: 0.5 }] }
`;
const update = (given: string, file: string, ...more: string[]) =>
  runCaptured(['catalog', 'update', given, '--config', file, '--json', ...more]);

test('catalog update accepts only the latest signed file', async () => {
  const file = write('signed.yaml', config(`  price_keys: ["${key}"]\n`));
  const given = signedFile('new.yaml', prices('2026-11-20T08:00:00Z', 5));
  const { code, printed } = await update(given, file);
  expect(code).toBe(0);
  expect(JSON.parse(printed).changes).toContainEqual({
    model: 'one',
    row: 'base',
    field: 'input',
    from: 1,
    to: 5,
  });
  expect(JSON.parse(printed).changes).toContainEqual({
    model: 'one',
    row: 'night',
    field: 'input',
    from: null,
    to: 2.5,
  });
  expect(JSON.parse(printed).changes).toContainEqual({
    model: 'one',
    row: 'later',
    field: 'input',
    from: 2,
    to: null,
  });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('prices_issued_at: "2026-11-20T08:00:00Z"');
  const refused: [given: string, message: string][] = [
    [signedFile('older.yaml', prices('2026-11-19T08:00:00Z', 6)), 'before the last prices'],
    [write('unsigned.yaml', prices('2026-11-21T08:00:00Z', 6)), 'unsigned.yaml.sig does not exist'],
    [signedFile('undated.yaml', 'prices: { one: { input: 1, output: 1 } }\n'), 'has no issued_at'],
  ];
  write('changed.yaml.sig', readFileSync(`${given}.sig`, 'utf8'));
  refused.push([write('changed.yaml', prices('2026-11-20T08:00:00Z', 7)), 'is not a signature of']);
  for (const [other, message] of refused) {
    const { code: failed, remarked } = await update(other, file);
    expect({ failed, remarked }).toEqual({ failed: 1, remarked: expect.stringContaining(message) });
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
  const again = signedFile('again.yaml', prices('2026-11-22T08:00:00Z', 5));
  expect(JSON.parse((await update(again, file)).printed).changes).toEqual([]);
  // It is the latest file, although it changes no price.
  const between = signedFile('between.yaml', prices('2026-11-21T08:00:00Z', 6));
  expect((await update(between, file)).remarked).toContain('before the last prices');
});

test('a bounded price file reads no secret of the machine', async () => {
  const file = write('open.yaml', config());
  const secret = write('secret.txt', 'hidden-secret');
  const row = (source: string) => `prices:
  one: { input: 7, output: 7, source: ${source} }
`;
  const placeholders = [`\${file:${secret}}`, `\\u0024{file:${secret}}`, `\${HOME:-x}`, `$\${HOME}`];
  for (const source of placeholders.map((one) => `"${one}"`)) {
    const { code, remarked } = await update(write('reading.yaml', row(source)), file);
    expect({ code, remarked }).toEqual({
      code: 1,
      remarked: expect.stringContaining('must not have a placeholder'),
    });
  }
  const huge = await update(write('huge.yaml', `# ${'x'.repeat(6_000_000)}`), file);
  expect(huge).toMatchObject({ code: 1, remarked: expect.stringContaining('has more than 5 MB') });
  const cut = write('cut.yaml', prices('2026-11-20', 5).slice(0, -12));
  expect((await update(cut, file)).remarked).toContain('is not valid YAML');
  const bytes = join(directory, 'bytes.yaml');
  writeFileSync(bytes, Buffer.from([0x70, 0xff, 0xfe]));
  expect((await update(bytes, file)).remarked).toContain('is not UTF-8 text');
  expect(readFileSync(file, 'utf8')).toBe(config());
});

test('an endless answer and a signature by another key are refused', async () => {
  const other = generateKeyPairSync('ed25519').privateKey;
  const text = prices('2026-11-20', 5);
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      if (url.endsWith('.sig')) return new Response(sign(null, Buffer.from(text), other).toString('base64'));
      if (!url.endsWith('endless')) return new Response(text);
      return new Response(
        new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000_000)) }),
      );
    },
  });
  const file = write('refusing.yaml', config(`  price_keys: ["${key}"]\n`));
  const at = (path: string) => update(`http://127.0.0.1:${server.port}/${path}`, file);
  expect((await at('endless')).remarked).toContain('has more than 5 MB');
  expect((await at('prices')).remarked).toContain('is not a signature of');
  expect(readFileSync(file, 'utf8')).not.toContain('prices_issued_at');
});

test('an edit of the configuration in the meantime is kept', async () => {
  const file = write('raced.yaml', config());
  const edited = `${config()}brand: other\n`;
  const args = ['catalog', 'update', write('racing.yaml', prices('2026-11-20', 5)), '--config', file];
  const { code, remarked } = await runCaptured(
    args,
    {},
    {
      ask: async () => {
        writeFileSync(file, edited);
        return 'y';
      },
    },
  );
  expect({ code, remarked }).toEqual({ code: 1, remarked: expect.stringContaining('was changed meanwhile') });
  expect(readFileSync(file, 'utf8')).toBe(edited);
});

test('the name that the configuration has for a model is used', async () => {
  const file = write('alias.yaml', 'catalog: { prices: { gpt-4o-2024-08-06: { input: 1, output: 1 } } }\n');
  await update(write('aliased.yaml', 'prices: { gpt-4o: { input: 2, output: 8 } }\n'), file);
  expect(readFileSync(file, 'utf8')).toContain('{ gpt-4o-2024-08-06: { input: 2, output: 8 } }');
});

test('a confirmation of a row with conditions is a change', async () => {
  const row = (at: string) => `prices:
  two: { input: 1, output: 2, conditions: [{ name: big, above_input_tokens: 9, factor: 2, confirmed_at: ${at} }] }
`;
  const file = write('confirmed.yaml', config());
  await update(write('one.yaml', row('2026-01-01')), file);
  const { changes } = JSON.parse((await update(write('other.yaml', row('2026-02-01')), file)).printed);
  const change = { model: 'two', row: 'big', field: 'confirmed_at' };
  expect(changes).toEqual([{ ...change, from: '2026-01-01', to: '2026-02-01' }]);
});

test('a row with conditions is replaced as a whole', async () => {
  const file = write('replaced.yaml', config());
  await update(write('first.yaml', prices('2026-11-20', 5)), file);
  const plain = write('second.yaml', 'prices: { one: { input: 9, output: 2 } }\n');
  const { code, printed } = await update(plain, file);
  expect({ code, changes: JSON.parse(printed).changes }).toEqual({
    code: 0,
    changes: expect.arrayContaining([
      { model: 'one', row: 'night', field: 'hours', from: expect.anything(), to: null },
    ]),
  });
  expect(readFileSync(file, 'utf8')).toContain('one: { "input": 9, "output": 2 }');
});

test('a URL is read with its signature or with --unsigned', async () => {
  const text = prices('2026-11-20', 5);
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => new Response(new URL(url).pathname.endsWith('.sig') ? signature : text),
  });
  const url = `http://127.0.0.1:${server.port}/prices.yaml`;
  const open = write('open.yaml', config());
  expect((await update(url, open)).remarked).toContain('needs a signature');
  expect((await update(url, open, '--unsigned', '--dry-run')).code).toBe(0);
  const keyed = write('keyed.yaml', config(`  price_keys: ["${key}"]\n`));
  expect((await update(url, keyed)).code).toBe(0);
});
