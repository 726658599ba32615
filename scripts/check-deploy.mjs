#!/usr/bin/env node
// Checks the files in deploy/ with the tools that read them: `npm run check:deploy`. A missing tool is a failure, and it is named.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { boardExpressions } from './deploy/board-expressions.mjs';
import { scrapeStartedServer } from './deploy/scrape-started-server.mjs';
import { ensureRuntime } from './runtime.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'));
const ALERTS = 'deploy/prometheus/alerts.yml';
const BOARD = 'deploy/grafana/tollgate.json';

/** The tools that the checks need, and where to get them. */
const sources = {
  promtool: "Debian's package `prometheus`, or the Prometheus release archive",
};

/**
 * The checks. `command` is run in the repository; `input` returns its standard input. A tool in `needs` must be on the PATH. To add a
 * check, add a row, and a line in `sources` for a new tool.
 */
const checks = [
  { name: 'alert rules are valid', needs: ['promtool'], command: ['promtool', 'check', 'rules', ALERTS] },
  {
    name: 'alert rules fire and stay silent as their tests say',
    needs: ['promtool'],
    command: ['promtool', 'test', 'rules', 'deploy/prometheus/alerts.test.yml'],
  },
  {
    name: 'expressions of the Grafana board are valid',
    needs: ['promtool'],
    prepare: writeBoardRules,
    command: ['promtool', 'check', 'rules', join(scratch, 'board.yml')],
  },
  {
    name: 'metrics of a started server are conventional',
    needs: ['promtool'],
    input: () => scrapeStartedServer(root),
    command: ['promtool', 'check', 'metrics'],
  },
  {
    name: 'metrics in the rules and on the board exist in a started server',
    needs: [],
    command: [
      ensureRuntime({ withDevelopment: true }),
      'test',
      '--timeout',
      '60000',
      'test/api/metrics.test.ts',
    ],
  },
];

/** Writes the board's expressions as recording rules, since promtool checks expressions only within rules. */
function writeBoardRules() {
  const board = JSON.parse(readFileSync(join(root, BOARD), 'utf8'));
  const rules = boardExpressions(board).map((expr, index) => ({ record: `board:${index}`, expr }));
  writeFileSync(join(scratch, 'board.yml'), stringify({ groups: [{ name: 'board', rules }] }));
}

const isInstalled = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Returns the reason why the check failed, or undefined if it passed. */
async function problemOf({ needs, prepare, input, command: [program, ...args] }) {
  const missing = needs.filter((tool) => !isInstalled(tool));
  if (missing.length > 0)
    return missing.map((tool) => `${tool} is missing: install ${sources[tool]}.`).join('\n');
  await prepare?.();
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    input: (await input?.()) ?? '',
  });
  if (error) return `${program} could not be run: ${error.message}`;
  // promtool reports style problems of metrics on its error output and may still exit with 0.
  const isClean = status === 0 && !(program === 'promtool' && stderr.trim() !== '');
  return isClean ? undefined : `${stdout}${stderr}`.trim() || `${program} exited with ${status}`;
}

let failed = 0;
try {
  for (const check of checks) {
    const problem = await problemOf(check).catch((error) => String(error));
    console.log(`${problem === undefined ? 'ok' : 'FAILED'}: ${check.name}`);
    if (problem === undefined) continue;
    failed++;
    console.log(problem.replace(/^/gm, '  '));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
