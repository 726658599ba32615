#!/usr/bin/env node
// Packs the program, installs it with npm into an empty folder, and starts it with npx. Prints what is wrong.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf, startProcess } from './spawned-process.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-install-'));

function run(directory, command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: directory, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
  return stdout.trim();
}

try {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [{ filename }] = JSON.parse(run(root, 'npm', 'pack', '--json', '--pack-destination', folder));
  run(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`);
  const printed = run(folder, 'npx', '--no', '--', 'tollgate', '--version');
  // The package has no repository. Its own file names the commit and its day.
  const [name, commit, day, ...more] = printed.split(/[+ ]/);
  const isKnown = name === version && /^[0-9a-f]{8}$/.test(commit) && /^\d{4}-\d\d-\d\d$/.test(day);
  if (!isKnown || more.length > 0) throw new Error(`npx tollgate --version printed '${printed}'`);
  // The linked program itself, since npx does not pass on signals in every version.
  const program = join(folder, 'node_modules', '.bin', 'tollgate');
  const server = startProcess(program, ['serve', '--port', '0'], { cwd: folder });
  try {
    const url = await addressOf(server, join(folder, 'data'));
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`/readyz answered ${status}: ${server.output()}`);
  } finally {
    const code = await server.stop();
    if (code !== 0) console.log(`the server exited with ${code}: ${server.output()}`);
    if (code !== 0) process.exitCode = 1;
  }
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
