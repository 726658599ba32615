import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTestFiles } from '../../scripts/test-files.mjs';
import { temporaryDirectory } from '../../src/store/sqlite/testing/temporary-directory.ts';
import fullFiles from '../full-files.json' with { type: 'json' };
import postgresFiles from '../postgres-files.json' with { type: 'json' };
import { endWithUs } from '../support/end-with-us.ts';

const root = join(import.meta.dir, '..', '..');
const { directory: project, remove } = temporaryDirectory();
afterAll(remove);

const beginning = `import { expect, test } from 'bun:test'; import { existsSync, writeFileSync } from 'node:fs';
test('sound', () => {});
`;
const FILES: Record<string, string> = {
  'sound/two': `${beginning} test('sound too', () => {}); test.skip('skipped', () => {});`,
  'once/beside': `${beginning} test('fails once', () => {
    const isFirst = !existsSync('${project}/marker');
    writeFileSync('${project}/marker', '');
    expect(isFirst).toBe(false);
  });`,
  'wrong/one': `${beginning} test('wrong', () => expect(1).toBe(2));`,
  'unloadable/one': `import { missing } from './missing.ts'; ${beginning} test('missing', missing);`,
  'ended/one': `${beginning} test('ended', () => process.exit(0));`,
  'killed/one': `${beginning} test('killed', () => process.kill(process.pid, 'SIGKILL'));`,
  'late/one': `${beginning} test('late', async () => {
    setTimeout(() => { throw new Error('late'); }, 1);
    await Bun.sleep(50);
  });`,
  'empty/one': '',
  'stored/one': `${beginning} // It mentions Postgres.`,
};
/** A shared Postgres that ends while the tests run. */
const ENDING_POSTGRES = 'console.log(JSON.stringify({}));';

beforeAll(() => {
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'package-lock.json'])
    symlinkSync(join(root, name), join(project, name));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(project, 'src', name, '..'), { recursive: true });
    writeFileSync(join(project, 'src', `${name}.test.ts`), text);
  }
  const postgres = join(project, 'test', 'support', 'postgres');
  mkdirSync(postgres, { recursive: true });
  writeFileSync(join(postgres, 'serve-postgres.ts'), ENDING_POSTGRES);
});

async function runTests(...args: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn(['node', join(project, 'scripts', 'test.mjs'), ...args], {
    env: { PATH, HOME },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  endWithUs(child);
  const lines = (await child.stdout.text()).trimEnd().split('\n');
  return { code: await child.exited, lines, last: lines.at(-1) };
}

test('npm test counts passed and skipped tests', async () => {
  expect(await runTests('sound/')).toMatchObject({ code: 0, last: '2 passed, 0 failed, 1 skipped' });
});

test('npm test counts its tests if the shared Postgres ends before them', async () => {
  expect(await runTests('stored/')).toMatchObject({ code: 0, last: '1 passed, 0 failed' });
});

test('npm test runs a failed file again, names it, and counts only the second result', async () => {
  const { code, lines, last } = await runTests('once/', 'sound/');
  expect({ code, last }).toEqual({ code: 0, last: '4 passed, 0 failed, 1 skipped' });
  expect(lines).toContain('Running again, one at a time: 1 of what failed');
  expect(lines.slice(-5, -1)).toEqual([
    '',
    'passed in the second run: src/once/beside.test.ts',
    '  fails once',
    '',
  ]);
});

test.each([
  ['has a failing test', 'wrong', '1 passed, 1 failed', /^wrong$/],
  ['does not load', 'unloadable', '0 passed, 1 failed', /^error: .*missing/],
  ['ends its process with exit code 0', 'ended', '0 passed, 1 failed', /^ended early with exit code 0$/],
  ['is killed', 'killed', '0 passed, 1 failed', /^ended early with exit code 137$/],
  ['throws outside of its test', 'late', '1 passed, 1 failed', /^late$/],
])('npm test fails and names the file if it %s', async (_, name, last, fault) => {
  const run = await runTests(`${name}/`);
  expect({ code: run.code, last: run.last }).toEqual({ code: 1, last });
  const [named, reason = ''] = run.lines.slice(-4, -2);
  expect(named).toBe(`FAILED: src/${name}/one.test.ts`);
  expect(reason.trim()).toMatch(fault);
});

test('npm test --costs shows the CPU time of each group', async () => {
  const { lines, last } = await runTests('--costs', 'sound/');
  expect(lines).toContain('| units beside the sources | 2 | 0 | - |');
  expect(last).toBe('2 passed, 0 failed, 1 skipped');
});

test('npm test fails if no file has the named path, and if the named files have no tests', async () => {
  for (const name of ['no-such-folder', 'empty/'])
    expect(await runTests(name)).toMatchObject({ code: 1, last: '0 passed, 1 failed' });
});

test('npm test refuses an unknown option', async () => {
  expect((await runTests('--no-such-option')).code).toBe(2);
});

test('the ordinary run leaves the listed files to --full, unless a text names them', () => {
  const left = Object.keys(fullFiles);
  const ordinary = findTestFiles(root, [], { isFull: false });
  const full = findTestFiles(root, [], { isFull: true });
  expect(full).toEqual([...ordinary, ...left].sort());
  expect(findTestFiles(root, left, { isFull: false })).toEqual(left.sort());
});

test('every path of the list of tests on Postgres is the beginning of one of a test', () => {
  const paths = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)];
  const { concerns, except, sample } = postgresFiles;
  const starts = [...Object.keys(concerns), ...Object.keys(except), ...sample];
  expect(starts.filter((start) => !paths.some((path) => path.startsWith(start)))).toEqual([]);
});
