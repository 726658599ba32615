import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { temporaryDirectory } from '../../src/store/sqlite/testing/temporary-directory.ts';
import { endWithUs } from '../support/end-with-us.ts';

type Workflow = {
  jobs: { test: { steps: { run?: string }[]; strategy: { matrix: { node: number[] } } } };
};

const root = join(import.meta.dir, '..', '..');
const { directory, remove } = temporaryDirectory();
afterAll(remove);

const { steps, strategy } = (
  parse(readFileSync(join(root, '.github/workflows/test.yaml'), 'utf8')) as Workflow
).jobs.test;
const commands = steps.flatMap(({ run }) => run ?? []);

/** The step fixes its port in advance, so the test looks for a free one. */
function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

test('workflows pin actions by hash, keep no credentials, and have least permissions', () => {
  const folder = join(root, '.github/workflows');
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action!))).toEqual([]);
    const { permissions, jobs } = parse(text);
    expect({ file, contents: permissions.contents }).toEqual({ file, contents: 'read' });
    const others = Object.keys(permissions).filter((name) => name !== 'contents');
    expect({ file, others }).toEqual({ file, others: /\bgh issue\b/.test(text) ? ['issues'] : [] });
    for (const { steps: all } of Object.values<{ steps: { uses?: string; with?: object }[] }>(jobs))
      for (const step of all.filter(({ uses: action }) => action?.startsWith('actions/checkout@')))
        expect({ file, with: step.with }).toMatchObject({ file, with: { 'persist-credentials': false } });
  }
});

test('only the release may write, and it signs with the identity of its workflow', () => {
  const folder = join(root, '.github/workflows');
  const granted = readdirSync(folder).flatMap((file) =>
    Object.values<{ permissions?: Record<string, string> }>(
      parse(readFileSync(join(folder, file), 'utf8')).jobs,
    ).flatMap(({ permissions }) => (permissions ? [[file, permissions]] : [])),
  );
  const writes = { contents: 'write', packages: 'write', 'id-token': 'write', attestations: 'write' };
  expect(granted).toEqual([['release.yaml', writes]]);
  const { on, jobs } = parse(readFileSync(join(folder, 'release.yaml'), 'utf8'));
  expect(on).toEqual({ push: { tags: ['v*'] } });
  const texts: string[] = jobs.release.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  for (const text of texts) expect(Bun.spawnSync(['bash', '-n', '-c', text]).success).toBe(true);
  // The command line that makes the files has options that the command knows.
  const usage = readFileSync(join(root, 'scripts/release/release.ts'), 'utf8');
  const [line] = /npm run release -- .*$/m.exec(texts.join('\n'))!;
  for (const [option] of line.matchAll(/--[a-z-]+/g)) expect(usage).toContain(`  ${option}`);
});

test('the workflow runs npm start and npm test, from the oldest supported Node version', () => {
  expect(commands.map((command) => command.split('\n')[0])).toEqual(['npm start &', 'npm test']);
  expect(packageFile.engines.node).toBe(`>=${Math.min(...strategy.matrix.node)}`);
});

test("the workflow's first step starts a server, waits until it is ready, and returns its exit code", async () => {
  const { PATH = '', HOME = '' } = process.env;
  const port = String(await findFreePort());
  const file = join(directory, 'tollgate.yaml');
  writeFileSync(file, 'server: { drain_notice_s: 0 }\n');
  const shell = Bun.spawn(['bash', '-eo', 'pipefail', '-c', commands[0]!], {
    cwd: root,
    env: { PATH, HOME, PORT: port, TOLLGATE_CONFIG: file, DATA_DIR: join(directory, 'data') },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  endWithUs(shell);
  const output = await shell.stdout.text();
  expect(output).toContain('"event":"ready"');
  expect(output).toContain('{"status":"ready"}');
  expect(await shell.exited).toBe(0);
  await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
});
