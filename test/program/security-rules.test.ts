import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '..', '..');
const read = (pattern: string) =>
  [...new Glob(pattern).scanSync(root)]
    .filter(
      (path) => !path.includes('.test.') && !path.includes('/testing/') && !path.includes('node_modules'),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const sources = read('src/**/*.{ts,js}');
const pages = read('dashboard/**/*.{ts,tsx}');
type Job = { if?: string; steps: { run?: string; uses?: string }[] };
type Workflow = { on: unknown; jobs: { audit: Job; scorecard: Job } };
const lock = { paths: ['package-lock.json'] };
const withA = (files: typeof sources, pattern: RegExp): string[] =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort();

test('there are sources and pages to search', () => {
  expect(sources.length).toBeGreaterThan(1_000);
  expect(pages.length).toBeGreaterThan(100);
});

test('no source runs text as code', () => {
  expect(withA([...sources, ...pages], /\beval\(|\bnew Function\(|node:vm\b/)).toEqual([]);
});

test('no source starts a shell, and one starts processes', () => {
  expect(
    withA(sources, /\bexec(?:File)?Sync\(|shell: true|Bun\.\$|import \{[^}]*\$[^}]*\} from 'bun'/),
  ).toEqual([]);
  expect(withA(sources, /child_process|Bun\.spawn/)).toEqual(['src/program/workers/worker-process.ts']);
});

test('the sources use no unmanaged memory, except for calls of the kernel', () => {
  expect(withA(sources, /bun:ffi/)).toEqual([
    'src/base/lib/load-c-library.ts',
    'src/edge/connections/drop-new-connections.ts',
    'src/edge/connections/kernel-sockets.ts',
    'src/upstream/http-client/receive-buffer.ts',
  ]);
});

test('pages show text as text, and receive no messages of other windows', () => {
  expect(
    withA(pages, /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write\(/),
  ).toEqual([]);
  expect(withA(pages, /postMessage|addEventListener\('message'|document\.cookie/)).toEqual([]);
});

test('MD5 and SHA-1 are named in one file, for databases that ask for MD5', () => {
  expect(withA(sources, /(['"`])(?:md5|sha1|sha-1)\1/i)).toEqual([
    'src/store/postgres/connection/authentications.ts',
  ]);
});

test('the workflow for the supply chain runs what SECURITY.md says', () => {
  const text = readFileSync(join(root, '.github/workflows/supply-chain.yaml'), 'utf8');
  const { on, jobs } = Bun.YAML.parse(text) as Workflow;
  expect(on).toMatchObject({
    schedule: [{ cron: expect.stringMatching(/\* \* 2$/) }],
    push: lock,
    pull_request: lock,
  });
  const commands = jobs.audit.steps.flatMap(({ run }) => run ?? []);
  expect(commands).toEqual([
    'npm audit --omit=dev --audit-level=low',
    'npm audit --audit-level=high',
    'npm test -- test/program/licences.test.ts',
  ]);
  expect(jobs.scorecard.if).toBe("github.event_name != 'pull_request'");
  expect(jobs.scorecard.steps.some(({ uses }) => uses?.startsWith('ossf/scorecard-action@'))).toBe(true);
  const policy = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  for (const part of [
    'Each Tuesday',
    '`package-lock.json`',
    '`npm audit`',
    'Scorecard',
    'not run for pull requests',
  ])
    expect(policy).toContain(part);
});
