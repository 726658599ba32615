#!/usr/bin/env node
// Runs the snippets of docs/clients with the real clients: `npm run clients [-- ID…]`. Each client is installed from its registry into a
// cache folder, and calls a server with the simulator. A missing tool is a failure, and it is named.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clients, tools } from './clients/clients-table.mjs';
import { driveClient } from './clients/drive-client.mjs';
import { startGateway } from './clients/start-gateway.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cache = join(tmpdir(), 'tollgate-clients');
const MILLISECONDS = 1_000;

const isInstalled = (program) => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => !clients.some((client) => client.id === id));
if (unknown.length > 0) {
  console.error(
    `There is no client ${unknown.join(', ')}. The clients are ${clients.map(({ id }) => id).join(', ')}.`,
  );
  process.exit(2);
}

async function resultOf(client, gateway) {
  const { programs, source } = tools[client.tool];
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) return { problem: `${missing.join(' and ')} is missing: install ${source}.` };
  return driveClient(client, { root, cache, gateway });
}

const chosen = wanted.length === 0 ? clients : clients.filter(({ id }) => wanted.includes(id));
const gateway = await startGateway(root);
// The clients run in process groups of their own, which end with this process.
process.on('SIGINT', () => process.exit(130));
console.log(`The clients are installed in ${cache}.\n`);
let failed = 0;
try {
  for (const client of chosen) {
    const start = Date.now();
    const { version = '', problem } = await resultOf(client, gateway).catch((error) => ({
      problem: String(error),
    }));
    const seconds = ((Date.now() - start) / MILLISECONDS).toFixed(1);
    const state = problem === undefined ? 'ok' : 'FAILED';
    console.log(`${state.padEnd(7)} ${client.id.padEnd(22)} ${version.padEnd(12)} ${seconds.padStart(6)} s`);
    if (problem === undefined) continue;
    failed++;
    console.log(problem.trim().replace(/^/gm, '  '));
  }
} finally {
  await gateway.stop();
}
console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
