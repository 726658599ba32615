#!/usr/bin/env node
// Drives the real clients: `npm run clients [-- pages | sessions] [ID…]`. Each client is installed from its registry into a cache folder, and calls a server
// with the simulator. The snippets of docs/clients run first. After them each client completes a session with tools on each wire. A missing
// tool is a failure, and it is named.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clients, tools } from './clients/clients-table.mjs';
import { driveClient } from './clients/drive-client.mjs';
import { driveSessions } from './clients/drive-sessions.mjs';
import { installNode } from './clients/installations.mjs';
import { countsOf, problemsOf, tableOf } from './clients/session-results.mjs';
import { sessions } from './clients/sessions-table.mjs';
import { startGateway } from './clients/start-gateway.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const drivers = join(root, 'scripts', 'clients', 'drivers');
const cache = join(tmpdir(), 'tollgate-clients');
const MILLISECONDS = 1_000;
/** Clients that complete sessions at the same time. */
const AT_ONCE = 2;

const isInstalled = (program) => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0;

const PARTS = ['pages', 'sessions'];
const words = process.argv.slice(2);
const parts = words.filter((word) => PARTS.includes(word));
const wanted = words.filter((word) => !PARTS.includes(word));
const known = new Set([...clients, ...sessions].map(({ id }) => id));
const unknown = wanted.filter((id) => !known.has(id));
if (unknown.length > 0) {
  console.error(`There is no client ${unknown.join(', ')}. The clients are ${[...known].join(', ')}.`);
  process.exit(2);
}
function chosenOf(part, rows) {
  if (parts.length > 0 && !parts.includes(part)) return [];
  return wanted.length === 0 ? rows : rows.filter(({ id }) => wanted.includes(id));
}

/** Returns the result of a client with its time. A tool that is not on the machine is the result's problem. */
async function resultOf(client, drive) {
  const { programs, source } = tools[client.tool];
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) return { problem: `${missing.join(' and ')} is missing: install ${source}.` };
  const start = Date.now();
  const result = await drive().catch((error) => ({ problem: String(error) }));
  return { ...result, seconds: (Date.now() - start) / MILLISECONDS };
}

function report(client, { state, version = '', seconds = 0 }) {
  const time = seconds.toFixed(1).padStart(6);
  console.log(`${state.padEnd(7)} ${client.id.padEnd(22)} ${version.padEnd(12)} ${time} s`);
}

/** Runs the snippets of the pages. Returns the number of failures. */
async function runPages(chosen, setting) {
  let failed = 0;
  for (const client of chosen) {
    const result = await resultOf(client, () => driveClient(client, setting));
    report(client, { ...result, state: result.problem === undefined ? 'ok' : 'FAILED' });
    if (result.problem === undefined) continue;
    failed++;
    console.log(result.problem.trim().replace(/^/gm, '  '));
  }
  return failed;
}

/** Completes the sessions of the clients, a few clients at a time. */
async function runSessions(chosen, setting) {
  const results = [];
  const queue = [...chosen.entries()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [place, client] = next;
      const result = await resultOf(client, () => driveSessions(client, setting));
      results[place] = { client, ...result };
      const { passed, failed } = countsOf([result]);
      report(client, { ...result, state: failed === 0 ? `${passed} ok` : `${failed} FAILED` });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

// The clients run in process groups of their own, which end with this process.
process.on('SIGINT', () => process.exit(130));
const pages = chosenOf('pages', clients);
const gateway = await startGateway(root);
console.log(`The clients are installed in ${cache}.\n`);
try {
  const setting = { root, cache, gateway, drivers, node: await installNode(cache) };
  const failedPages = await runPages(pages, setting);
  console.log('');
  const results = await runSessions(chosenOf('sessions', sessions), setting);
  console.log(`\n${tableOf(results)}\n`);
  for (const problem of problemsOf(results)) console.log(`${problem}\n`);
  const counts = countsOf(results);
  const failed = failedPages + counts.failed;
  console.log(`${pages.length - failedPages + counts.passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await gateway.stop();
}
