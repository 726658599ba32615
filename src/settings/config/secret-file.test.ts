// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContents } from '../snapshot/read-contents.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { interpolate } from './interpolate.ts';
import { withSecretFiles } from './secret-file.ts';
import { configOf } from './testing/config-of.ts';

const place = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const file = (name: string, content: string): string => {
  writeFileSync(join(place, name), content);
  return join(place, name);
};
const TOKEN = 'a-token-of-an-administrator';
const around = { supportedWires: new Set([] as never[]), simulatorFor: () => null, generation: 0 };
const origin = (environment: Record<string, string>) => ({
  file: null,
  overrides: {},
  environment: withSecretFiles(environment),
});

test('the current text of NAME_FILE stands for NAME unless NAME has a value', () => {
  const environment = withSecretFiles({
    A_FILE: file('a', 'one\n'),
    B: 'own',
    B_FILE: file('b', 'other'),
    C: '',
  });
  expect(environment.A).toBe('one');
  expect(environment.B).toBe('own');
  expect(environment.C).toBe('');
  expect(environment.D).toBeUndefined();
  expect(interpolate('x${A}y', environment).text).toBe('xoney');
  file('a', 'two\r\n');
  expect(interpolate('${A:-default}', environment).text).toBe('two');
});

test('${file:/path} stands for the content of a file, in every style of YAML', () => {
  const path = file('key', 'sk:{odd}#text\n');
  for (const value of [`\${file:${path}}`, `"\${file:${path}}"`]) {
    const text = `providers: [{ id: a, wire: openai-chat, base_url: "http://h.example/v1", api_key: ${value} }]\n`;
    expect(configOf(text).providers[0]?.api_key).toBe('sk:{odd}#text');
  }
});

test('a file that cannot be read is a problem of its place without the content', () => {
  const missing = join(place, 'missing');
  const big = file('big', 'secret'.repeat(20_000));
  const problemsOf = (source: string) =>
    interpolate(source, withSecretFiles({ NAME_FILE: missing, BIG_FILE: big, AT_FILE: 'relative' })).problems;
  expect(problemsOf('${NAME:-default}')).toEqual([
    `cannot be filled in: The file ${missing} of NAME_FILE does not exist`,
  ]);
  expect(problemsOf('${BIG}')).toEqual([expect.stringContaining('is not a file of at most 64 KB')]);
  expect(problemsOf('${AT}')).toEqual([expect.stringContaining('has no absolute path')]);
  expect(problemsOf(`\${file:${place}}`)).toEqual([expect.stringContaining('is not a file')]);
  expect(problemsOf('${file:relative}')).toEqual([expect.stringContaining('has no absolute path')]);
});

test('variables that the program reads come from files, at the start and at a reload', async () => {
  const environment = {
    TOLLGATE_ADMIN_TOKEN_FILE: file('token', `${TOKEN}\n`),
    OPENAI_API_KEY_FILE: file('openai', 'sk-x'),
  };
  const made = await readSnapshot(origin(environment), around);
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  expect(made.snapshot.config.admin.token).toBe(TOKEN);
  const openai = [...made.snapshot.providers.values()].find(({ id }) => id === 'openai');
  expect({ apiKey: openai?.apiKey, mode: openai?.mode }).toEqual({ apiKey: 'sk-x', mode: 'live' });
  file('token', `${TOKEN}-rotated`);
  const contents = await readContents({ origin: origin(environment), supportedWires: new Set() });
  expect('config' in contents && contents.config.admin.token).toBe(`${TOKEN}-rotated`);
});

test('a start and a reload fail with a report if a file is missing', async () => {
  for (const name of ['DATABASE_URL_FILE', 'OPENAI_API_KEY_FILE']) {
    const environment = { [name]: join(place, 'missing') };
    const problems = [
      { file: null, line: null, column: null, field: '', message: expect.stringContaining(name) },
    ];
    expect(await readSnapshot(origin(environment), around)).toEqual({ problems });
    if (name === 'DATABASE_URL_FILE')
      expect(await readContents({ origin: origin(environment), supportedWires: new Set() })).toEqual({
        problems,
      });
  }
});
