#!/usr/bin/env node
// Checks the files in deploy/ with the tools that read them: `npm run check:deploy`.
// A missing tool is a failure, and it is named.
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployChecks, toolSources } from './deploy/deploy-checks.mjs';
import { DeployFiles } from './deploy/deploy-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// `go install` puts programs into the first of these, and Debian puts servers into the second, which only
// root has on the PATH.
process.env.PATH = [
  process.env.PATH,
  join(process.env.GOPATH ?? join(homedir(), 'go'), 'bin'),
  '/usr/sbin',
].join(delimiter);

/** The tools that report problems on their error output, and may still exit with 0. */
const SPEAKS_OF_PROBLEMS = new Set(['promtool', 'systemd-analyze']);

const isInstalled = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Returns the reason why the check failed, or undefined if it passed. */
async function problemOf({ needs, prepare, input, refusal, command: [program, ...args] }) {
  const missing = needs.filter((tool) => !isInstalled(tool));
  if (missing.length > 0)
    return missing.map((tool) => `${tool} is missing: install ${toolSources[tool]}.`).join('\n');
  await prepare?.();
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    input: (await input?.()) ?? '',
  });
  if (error) return `${program} could not be run: ${error.message}`;
  if (refusal)
    return status !== 0 && refusal.test(stderr) ? undefined : `was not refused: ${stdout}${stderr}`.trim();
  const isClean = status === 0 && !(SPEAKS_OF_PROBLEMS.has(program) && stderr.trim() !== '');
  return isClean ? undefined : `${stdout}${stderr}`.trim() || `${program} exited with ${status}`;
}

const files = new DeployFiles(root);
const checks = deployChecks(files);
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
  files.remove();
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
