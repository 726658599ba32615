#!/usr/bin/env node
// Drives the real clients: `npm run clients [-- pages | sessions] [ID…]`. Each client is installed from its
// registry into a cache folder, and calls a server with the simulator. The snippets of docs/clients run
// first. After them each client completes a session with tools on each wire. A client whose tool is missing
// is skipped, and the tool is named.
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clients } from './clients/clients-table.mjs';
import { driveClient } from './clients/drive-client.mjs';
import { driveSessions } from './clients/drive-sessions.mjs';
import { installNode } from './clients/install-node.mjs';
import { missingPrograms } from './clients/missing-programs.mjs';
import { countsOf, problemsOf, tableOf } from './clients/session-results.mjs';
import { sessions } from './clients/sessions-table.mjs';
import { startGateway } from './clients/start-gateway.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const drivers = join(root, 'scripts', 'clients', 'drivers');
const cache = join(tmpdir(), 'tollgate-clients');
const MILLISECONDS = 1_000;
/** Clients that complete sessions at the same time. */
const AT_A_TIME = 2;
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

/**
 * Returns the result of a client with its time. A client whose tool is not on the machine has only a reason.
 */
async function resultOf(client, drive) {
  const missing = missingPrograms(client.tool);
  if (missing) return { reason: missing };
  const start = Date.now();
  const result = await drive().catch((error) => ({ problem: String(error) }));
  return { ...result, seconds: (Date.now() - start) / MILLISECONDS };
}

function report(client, { state, version = '', seconds = 0 }) {
  const time = seconds.toFixed(1).padStart(6);
  console.log(`${state.padEnd(7)} ${client.id.padEnd(22)} ${version.padEnd(12)} ${time} s`);
}

function outcomeOf({ reason, problem }) {
  if (reason) return 'skipped';
  return problem ? 'failed' : 'passed';
}

/** Runs the snippets of the pages. Returns the numbers of those that passed, failed and were skipped. */
async function runPages(chosen, setting) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const client of chosen) {
    const result = await resultOf(client, () => driveClient(client, setting));
    const outcome = outcomeOf(result);
    counts[outcome]++;
    report(client, { ...result, state: outcome === 'passed' ? 'ok' : outcome.toUpperCase() });
    const text = result.problem ?? result.reason;
    if (text !== undefined) console.log(text.trim().replace(/^/gm, '  '));
  }
  return counts;
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
      const state = failed > 0 ? `${failed} FAILED` : `${passed} ok`;
      report(client, { ...result, state: result.reason ? 'SKIPPED' : state });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return results;
}

// The clients and servers end with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const gateway = await startGateway(root);
console.log(`The clients are installed in ${cache}.\n`);
try {
  const setting = { root, cache, gateway, drivers, node: await installNode(cache) };
  const counts = await runPages(chosenOf('pages', clients), setting);
  const results = await runSessions(chosenOf('sessions', sessions), setting);
  if (results.length > 0) console.log(`\n${tableOf(results)}\n`);
  for (const problem of problemsOf(results)) console.log(`${problem}\n`);
  const total = countsOf(results);
  for (const name of Object.keys(total)) total[name] += counts[name];
  console.log(
    Object.entries(total)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  process.exitCode = total.failed > 0 ? 1 : 0;
} finally {
  await gateway.stop();
}
