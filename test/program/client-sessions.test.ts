import { afterAll, describe, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';
import { chatWires } from '../support/wire-models.ts';

type Row = {
  id: string;
  name: string;
  tool: string;
  packages: string;
  protocols: string[];
  driver: string;
  files?: string[];
  cannot?: Record<string, string>;
};
type Cell = { wire: string; problem?: string; reason?: string; output?: string };
type Result = {
  client: { name: string };
  version?: string;
  problem?: string;
  reason?: string;
  rows?: { protocol: string; cells: Cell[] }[];
};
type Expected = { note: string; turns?: number; calls?: string[] };

const root = join(import.meta.dir, '..', '..');
const folder = join(root, 'scripts', 'clients');
const script = (name: string) => import(join(folder, name));
const { sessions } = (await script('sessions-table.mjs')) as { sessions: Row[] };
const { wires } = (await script('wires.mjs')) as { wires: { id: string; wire: string; model: string }[] };
const { tools } = (await script('clients-table.mjs')) as { tools: Record<string, unknown> };
const { sessionProblem } = (await script('session-problem.mjs')) as {
  sessionProblem: (result: { code: number; output: string }, expected: Expected) => string | undefined;
};
const { tableOf, problemsOf, countsOf } = (await script('session-results.mjs')) as {
  tableOf: (results: Result[]) => string;
  problemsOf: (results: Result[]) => string[];
  countsOf: (results: Result[]) => { passed: number; failed: number; skipped: number };
};

test('npm run clients completes sessions on every wire of chats', () => {
  expect(wires.map(({ wire }) => wire).sort()).toEqual([...chatWires].sort());
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(sessions.length);
});

test.each(sessions.map((row) => [row.id, row] as const))('the session of %s has a driver', (_, row) => {
  const { tool, driver, files = [], protocols, cannot = {} } = row;
  expect(Object.keys(tools)).toContain(tool);
  const missing = [driver, ...files].filter((name) => !existsSync(join(folder, 'drivers', name)));
  expect(missing).toEqual([]);
  expect(protocols.filter((name) => !['chat', 'responses', 'messages', 'gemini'].includes(name))).toEqual([]);
  expect(Object.keys(cannot).filter((id) => !wires.some((wire) => wire.id === id))).toEqual([]);
});

test('a nightly workflow drives the clients, shows the table and opens an issue about a failure', () => {
  const { on, permissions, jobs } = parse(readFileSync(join(root, '.github/workflows/clients.yaml'), 'utf8'));
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  const stepOf = (part: string) =>
    jobs.clients.steps.find(({ run }: { run?: string }) => run?.includes(part));
  expect(packageFile.scripts.clients).toContain('scripts/clients.mjs');
  // Without pipefail the step would have the exit code of `tee`.
  expect(stepOf('npm run clients').shell).toBe('bash');
  expect(stepOf('GITHUB_STEP_SUMMARY').if).toBe('always()');
  expect({ if: stepOf('gh issue create').if, issues: permissions.issues }).toEqual({
    if: 'failure()',
    issues: 'write',
  });
});

describe('the result of a session', () => {
  const note = 'note0a1b';
  const answered = `[simulated] Tool result c1: "${note}".`;

  test('passes with an answer about the note and an answer to the second turn', () => {
    expect(
      sessionProblem({ code: 0, output: `${answered}\n[simulated] second\n turn` }, { note }),
    ).toBeUndefined();
    expect(sessionProblem({ code: 0, output: answered }, { note, turns: 1 })).toBeUndefined();
  });

  test('fails without one of them', () => {
    expect(sessionProblem({ code: 1, output: answered }, { note })).toBe('ended with 1');
    expect(sessionProblem({ code: 0, output: `${note} [simulated]` }, { note })).toContain('no final answer');
    expect(sessionProblem({ code: 0, output: note }, { note })).toContain('no final answer');
    expect(sessionProblem({ code: 0, output: answered }, { note })).toContain('second turn');
  });

  test('fails if turns of a client with sockets went over HTTP', () => {
    const socket = 'GET /v1/responses 101';
    const problemOfCalls = (calls: string[]) =>
      sessionProblem({ code: 0, output: answered }, { note, turns: 1, calls });
    expect(problemOfCalls([socket, 'GET /v1/models 200'])).toBeUndefined();
    expect(problemOfCalls(['POST /v1/responses 200'])).toBe('no WebSocket was opened');
    expect(problemOfCalls([socket, 'POST /v1/responses 200'])).toBe('1 turns were sent over HTTP');
  });

  test('is a cell of the table, and its reason stands below', () => {
    const failed = { wire: 'responses', problem: 'ended with 1', output: 'why' };
    const cells = [{ wire: 'messages' }, failed, { wire: 'chat', reason: 'it has no tools' }];
    const results: Result[] = [
      { client: { name: 'Some client' }, version: '1.2', rows: [{ protocol: 'chat', cells }] },
      { client: { name: 'Other client' }, problem: 'the installation failed' },
      { client: { name: 'Third client' }, reason: 'go is missing: install Go.' },
    ];
    expect(tableOf(results)).toContain('| Some client 1.2 | chat | ok | FAILED | – |');
    expect(problemsOf(results)).toEqual([
      'Some client, chat, responses: ended with 1\n    why',
      'Some client, chat, chat: it has no tools',
      'Other client: the installation failed',
      'Third client: go is missing: install Go.',
    ]);
    expect(countsOf(results)).toEqual({ passed: 1, failed: 2, skipped: 2 });
  });
});

describe('the sessions of the installed SDKs pass', async () => {
  const server = await startServer();
  const work = mkdtempSync(join(tmpdir(), 'tollgate-sessions-'));
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
  afterAll(async () => {
    await server.stop();
    rmSync(work, { recursive: true });
  });

  const installed = sessions.filter(({ id }) => ['openai-7', 'anthropic-1', 'ai-sdk-7'].includes(id));
  const cases = installed.flatMap((row) =>
    row.protocols.map((protocol) => [row.driver, protocol, row] as const),
  );
  test.each(shareOf(cases, { turn: 0, of: 2 }))('%s in the protocol %s', async (driver, protocol, {
    files = [],
  }) => {
    for (const name of [driver, ...files]) cpSync(join(folder, 'drivers', name), join(work, name));
    const place = join(work, `${driver}-${protocol}`);
    const note = `note${crypto.randomUUID()}`;
    mkdirSync(place);
    writeFileSync(join(place, 'note.txt'), note);
    const child = Bun.spawn(['node', join(work, driver)], {
      cwd: place,
      env: {
        PATH: process.env.PATH ?? '',
        TOLLGATE_URL: server.url,
        TOLLGATE_KEY: server.firstKey,
        MODEL: '@svc/gpt-oss-120b',
        PROTOCOL: protocol,
      },
      stderr: 'pipe',
    });
    const [output, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(errors).toBe('');
    expect(sessionProblem({ code: await child.exited, output }, { note })).toBeUndefined();
  });
});
