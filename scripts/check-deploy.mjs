#!/usr/bin/env node
// Checks the files in deploy/ with the tools that read them: `npm run check:deploy`.
// A missing tool is a failure. The missing tools are named at once.
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployChecks, toolSources } from './deploy/deploy-checks.mjs';
import { DeployFiles } from './deploy/deploy-files.mjs';
import { reportChecks } from './report-checks.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// `go install` puts programs into the first of these, and Debian puts servers into the second, which only
// root has on the PATH.
process.env.PATH = [
  process.env.PATH,
  join(process.env.GOPATH ?? join(homedir(), 'go'), 'bin'),
  '/usr/sbin',
].join(delimiter);

/** The tools that report problems on their error output, and may still exit with 0. */
const REPORTS_PROBLEMS = new Set(['promtool', 'systemd-analyze']);

const isInstalled = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;

/** The most time for a command. The build of an image and the first run of a Go program take minutes. */
const TIMEOUT_MS = 15 * 60_000;

/** Returns a line for each missing tool that a check needs. */
const missingTools = (needs) =>
  [...new Set(needs)]
    .filter((tool) => !isInstalled(tool))
    .map((tool) => `${tool} is missing: install ${toolSources[tool]}.`);

/** Returns why the check failed. */
async function problemOf({ needs, prepare, input, refusal, command: [program, ...args] }) {
  const missing = missingTools(needs);
  if (missing.length > 0) return missing.join('\n');
  await prepare?.();
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    input: (await input?.()) ?? '',
  });
  if (error) return `${program} could not be run: ${error.message}`;
  if (refusal)
    return status !== 0 && refusal.test(stderr) ? undefined : `was not refused: ${stdout}${stderr}`.trim();
  const isClean = status === 0 && !(REPORTS_PROBLEMS.has(program) && stderr.trim() !== '');
  return isClean ? undefined : `${stdout}${stderr}`.trim() || `${program} exited with ${status}`;
}

const files = new DeployFiles(root);
try {
  const checks = deployChecks(files);
  for (const line of missingTools(checks.flatMap(({ needs }) => needs))) console.log(line);
  await reportChecks(checks, (check) => problemOf(check).catch(String));
} finally {
  files.remove();
}
