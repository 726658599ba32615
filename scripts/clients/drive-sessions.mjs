import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, pathOf } from './client-environment.mjs';
import { endLeftovers } from './end-leftovers.mjs';
import { installPackages } from './install-packages.mjs';
import { firstPackage, installedVersion } from './installed-version.mjs';
import { runScript } from './run-script.mjs';
import { sessionProblem } from './session-problem.mjs';
import { startRecorder } from './start-recorder.mjs';
import { wires } from './wires.mjs';

const SESSION_TIMEOUT_MS = 300_000;

/** The command with which each tool installs packages, after its preparation. */
const installCommands = {
  npm: (packages) => `npm install --no-audit --no-fund ${packages}`,
  pip: (packages) => `python/bin/pip install --quiet --upgrade ${packages}`,
  go: (packages) => `go mod init session\ngo get ${packages}\ngo mod tidy\ngo build -o program .`,
  cargo: (packages) => `cargo init --quiet --name session\n${packages}\ncargo build --quiet`,
  mvn: () => 'mvn --quiet --batch-mode package dependency:copy-dependencies',
};

/**
 * The command with which each tool runs a driver in the empty folder of the session.
 * Drivers of command lines are shell scripts.
 */
const runCommands = {
  npm: (driver) => (driver.endsWith('.sh') ? `source ../${driver}` : `node ../${driver}`),
  pip: (driver) => (driver.endsWith('.sh') ? `source ../${driver}` : `python ../${driver}`),
  go: () => '../program',
  cargo: () => '../target/debug/session',
  mvn: () => `java -cp '../target/classes:../target/dependency/*' Session`,
};

/** Installs the packages beside the driver, which is a script or the folder of a program to compile. */
async function install(client, { folder, path, drivers }) {
  mkdirSync(folder, { recursive: true });
  const isFile = client.driver.includes('.');
  cpSync(join(drivers, client.driver), isFile ? join(folder, client.driver) : folder, { recursive: true });
  for (const name of client.files ?? []) cpSync(join(drivers, name), join(folder, name));
  await installPackages(client.tool, installCommands[client.tool](client.packages), { folder, path });
}

/** Runs one session: a tool call, its result, a final answer, and a second turn. */
async function driveSession(client, { protocol, wire, folder, path, gateway }) {
  const home = join(folder, 'home');
  const work = join(folder, 'session');
  const note = `note${randomUUID().replaceAll('-', '')}`;
  for (const empty of [home, work]) {
    rmSync(empty, { recursive: true, force: true });
    mkdirSync(empty, { recursive: true });
  }
  writeFileSync(join(work, 'note.txt'), `${note}\n`);
  const recorder = client.sockets ? await startRecorder(gateway.url) : undefined;
  const environment = {
    ...environmentOf(client.tool, { path, home, key: gateway.key }),
    TOLLGATE_URL: (recorder ?? gateway).url,
    MODEL: wire.model,
    PROTOCOL: protocol,
  };
  const script = runCommands[client.tool](client.driver);
  const result = await runScript(script, { folder: work, environment, timeoutMs: SESSION_TIMEOUT_MS });
  if (client.tool === 'npm') endLeftovers(home);
  recorder?.stop();
  const calls = recorder?.take();
  const problem = sessionProblem(result, { note, turns: client.turns, calls });
  return { wire: wire.id, ...(problem && { problem, output: result.output }) };
}

/**
 * Installs a client and runs a session on each wire in each protocol of the client. Returns the version, and
 * a row of results for each protocol.
 */
export async function driveSessions(client, { cache, gateway, node, drivers }) {
  const folder = join(cache, client.id);
  const path = pathOf(folder, ...node);
  await install(client, { folder, path, drivers });
  const rows = [];
  for (const protocol of client.protocols) {
    const cells = [];
    for (const wire of wires) {
      const reason = client.cannot?.[wire.id];
      const cell = reason
        ? { wire: wire.id, reason }
        : await driveSession(client, { protocol, wire, folder, path, gateway });
      cells.push(cell);
    }
    rows.push({ protocol, cells });
  }
  rmSync(join(folder, 'home'), { recursive: true, force: true });
  rmSync(join(folder, 'session'), { recursive: true, force: true });
  const name = firstPackage(installCommands[client.tool](client.packages)) || client.packages;
  return { version: installedVersion(client.tool, { folder, name }), rows };
}
