import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { sourceFiles } from '../../src/console/manual/source-files.ts';
import { temporaryDirectory } from '../../src/store/sqlite/testing/temporary-directory.ts';
import { endWithUs } from '../support/end-with-us.ts';
import { waitFor } from '../support/wait-for.ts';

const root = join(import.meta.dir, '..', '..');
const { directory: scratch, remove } = temporaryDirectory();
afterAll(remove);
const { PATH = '', HOME = '' } = process.env;

function runHere(command: readonly string[], directory: string) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: directory, env: { PATH, HOME } });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

type Packed = { filename: string; files: { path: string }[] };
const packed = runHere(['npm', 'pack', '--json', '--pack-destination', scratch], root);
const [{ filename, files }] = JSON.parse(packed.stdout) as [Packed];
const paths = new Set(files.map(({ path }) => path));
const sources = [...paths].filter((path) => path.startsWith('src/'));
const pages = [...paths].filter((path) => path.startsWith('dashboard/'));

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const importsOf = (path: string): string[] =>
  /\.tsx?$/.test(path)
    ? [...textOf(path).matchAll(/(?:from|import|import\(|new URL\() ?'(\.[^']+)'/g)].map(([, to]) =>
        normalize(join(dirname(path), to!)),
      )
    : [];

test('the package has the program, the documents with the files that they link to, and no tests', () => {
  const documents = sourceFiles().map(({ source }) => source);
  expect(documents.length).toBeGreaterThan(100);
  const others = [...paths].filter((path) => !/^(src|dashboard)\//.test(path)).sort();
  const expected = [
    ...documents,
    'bin/tollgate',
    ...(existsSync(join(root, '.git')) ? ['build.json'] : []),
    'package.json',
    'scripts/runtime.mjs',
  ];
  expect(others).toEqual(expected.sort());
  expect([...sources, ...pages].filter((path) => /\.test\.tsx?$|\/testing\//.test(path))).toEqual([]);
  expect(sources.filter((path) => path.endsWith('.ts') && textOf(path).includes("'bun:test'"))).toEqual([]);
});

test('the package has every file that the program imports', () => {
  const missing = [...sources, ...pages].flatMap((path) =>
    importsOf(path)
      .filter((to) => !paths.has(to))
      .map((to) => `${path}: ${to}`),
  );
  // The command finds out whether the benchmark is there.
  expect(missing).toEqual(['src/program/cli/bench-command.ts: bench/run-benchmark.ts']);
});

// A program for tests only belongs into a folder `testing`, or into the exceptions of `files` in
// package.json.
test('the package has no source file that the program does not use', () => {
  const scripts = sources.filter((path) => path.endsWith('.ts'));
  const imported = new Set(scripts.flatMap(importsOf));
  // Style sheets, scripts of pages and the default catalog are read by their names.
  const isNamed = (path: string) =>
    scripts.some(
      (script) => dirname(script) === dirname(path) && textOf(script).includes(`${basename(path)}'`),
    );
  const unused = sources.filter(
    (path) =>
      path !== 'src/program/main.ts' && !imported.has(path) && (path.endsWith('.ts') || !isNamed(path)),
  );
  expect(unused).toEqual([]);
});

/**
 * Puts the package into an empty folder as npm does: its dependencies lie beside it, and the program is
 * linked.
 */
function install(): string {
  const folder = join(scratch, 'project');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  expect(runHere(['tar', '-xzf', join(scratch, filename), '-C', scratch], scratch).code).toBe(0);
  expect(runHere(['mv', join(scratch, 'package'), join(modules, 'tollgate')], scratch).code).toBe(0);
  symlinkSync(join('..', 'tollgate', packageFile.bin.tollgate), join(modules, '.bin', 'tollgate'));
  for (const name of ['@oven', ...Object.keys(packageFile.dependencies)]) {
    const source = join(root, 'node_modules', name);
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    if (existsSync(source)) symlinkSync(source, join(modules, name));
  }
  return folder;
}

test('the installed package prints its version with its commit and serves from a folder without a clone [ADM-52]', async () => {
  const folder = install();
  const program = join('node_modules', '.bin', 'tollgate');
  const version = runHere([program, '--version'], folder);
  // A copy of the tree without its repository has no commit.
  const commit = existsSync(join(root, '.git')) ? '\\+[0-9a-f]{8} \\d{4}-\\d{2}-\\d{2}' : '';
  const pattern = new RegExp(`^${packageFile.version}${commit}\n$`);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(pattern), stderr: '' });
  expect(existsSync(join(folder, 'node_modules', 'tollgate', 'node_modules'))).toBe(false);
  const benchmark = runHere([program, 'bench'], folder);
  expect(benchmark).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the benchmark needs a clone of the repository'),
  });

  const server = Bun.spawn([program, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH, HOME, TOLLGATE_LOCAL_SERVERS: 'off' },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  endWithUs(server);
  const address = join(folder, 'data', 'address');
  // The file exists for a moment before it has its text.
  const written = () => (existsSync(address) ? readFileSync(address, 'utf8').trim() : '');
  await waitFor(() => server.exitCode !== null || written() !== '');
  const url = written();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const guide = await fetch(`${url}/docs/deployment.html`);
  expect(guide.status).toBe(200);
  expect(await guide.text()).toEqual(expect.stringContaining('deploy/tollgate.service.txt'));
  const page = await (await fetch(url)).text();
  const [, script] = /<script type="module" src="([^"]+)">/.exec(page)!;
  expect((await fetch(new URL(script!, url))).status).toBe(200);
  server.kill('SIGTERM');
  expect(await server.exited).toBe(0);
});
