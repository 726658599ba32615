#!/usr/bin/env node
// Restarts two nodes behind an example of a proxy, one after the other, under load:
// `node scripts/deploy/check-rolling-restart.mjs nginx-two-nodes|haproxy [ROUNDS [COMMIT]]`. Fails if a
// request was lost. Both nodes share a Postgres that this program starts. With the commit of an earlier
// version, the nodes run that version first, and the first round replaces them. It needs the history of git.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ensureRuntime } from '../runtime.mjs';
import { startHeldUpstream } from './held-upstream.mjs';
import { findFreePort, startGateway, startProxy } from './proxied-gateway.mjs';
import { proxies } from './proxy-examples.mjs';
import { waitUntil } from './spawned-process.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [name, rounds = '2', commit] = process.argv.slice(2);
if (!Object.hasOwn(proxies, name ?? '')) {
  console.error(`usage: check-rolling-restart.mjs ${Object.keys(proxies).join('|')} [ROUNDS [COMMIT]]`);
  process.exit(2);
}
const CLIENTS = 16;
/** Between two requests of a client, so that the machine keeps up. */
const PAUSE_MS = 40;
const ADMIN_TOKEN = 'admin-token-of-the-rolling-restart';
const plans = {
  enterprise: {
    requests_per_min: 1_000_000,
    requests_per_5min: null,
    tokens_per_min: 1_000_000_000,
    concurrent: 1_000,
  },
};

/** Writes the source tree of a commit, with the packages of this one. */
function unpackTree(folder) {
  mkdirSync(folder);
  const script = 'git archive "$0" | tar -x -C "$1"';
  const { status, stderr } = spawnSync('sh', ['-c', script, commit, folder], { cwd: root, encoding: 'utf8' });
  if (status !== 0 || stderr) throw new Error(`the tree of ${commit} cannot be read: ${stderr}`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function startDatabase() {
  const program = join('test', 'support', 'postgres', 'serve-postgres.ts');
  const child = spawn(ensureRuntime({ withDevelopment: true }), [program], { cwd: root });
  let reason = '';
  child.stderr.on('data', (text) => {
    reason += text;
  });
  for await (const line of createInterface({ input: child.stdout }))
    return { url: JSON.parse(line).TOLLGATE_TEST_POSTGRES, stop: () => child.stdin.end() };
  throw new Error(`Postgres could not be started: ${reason}`);
}

/** Sends requests through the proxy until it is stopped, over kept connections and new ones. */
function startLoad({ port, host, authority }, key) {
  const counts = { sent: 0, lost: [] };
  let isOver = false;
  const client = async (index) => {
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
    while (!isOver) {
      counts.sent++;
      const fault = await ask({ port, host, authority, agent, key, isStreamed: index % 4 === 0 });
      if (fault) counts.lost.push(fault);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    agent.destroy();
  };
  const running = Array.from({ length: CLIENTS }, (_, index) => client(index));
  const stop = async () => {
    isOver = true;
    await Promise.all(running);
    return counts;
  };
  return { counts, stop };
}

/** Returns what was wrong with an answer. */
function ask({ port, host, authority, agent, key, isStreamed }) {
  const body = JSON.stringify({
    model: 'test-model',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: isStreamed,
  });
  const headers = { host, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        servername: host,
        ca: authority,
        agent,
        method: 'POST',
        headers,
        path: '/v1/chat/completions',
      },
      (answer) => {
        let text = '';
        answer.on('data', (part) => {
          text += part;
        });
        answer.on('error', (error) => resolve(`broken: ${error.message}`));
        answer.on('end', () => {
          const isWhole = text.includes(isStreamed ? '[DONE]' : 'whole');
          resolve(
            answer.statusCode === 200 && isWhole ? undefined : `${answer.statusCode}: ${text.slice(0, 120)}`,
          );
        });
      },
    );
    sent.on('error', (error) => resolve(`no answer: ${error.message}`));
    sent.end(body);
  });
}

const scratch = mkdtempSync(join(tmpdir(), 'tollgate-rolling-'));
const running = [];
try {
  const upstream = await startHeldUpstream();
  running.push(upstream);
  upstream.release();
  const database = await startDatabase();
  running.push(database);
  const gatewayPorts = [await findFreePort(), await findFreePort()];
  const startNode = (index, tree) =>
    startGateway({
      scratch,
      tree,
      name: `node-${index}`,
      port: gatewayPorts[index],
      upstream,
      plans,
      environment: { DATABASE_URL: database.url, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
    });
  const first = commit === undefined ? root : unpackTree(join(scratch, 'earlier-version'));
  const nodes = [await startNode(0, first), await startNode(1, first)];
  running.push({ stop: () => Promise.all(nodes.map((node) => node.stop())) });
  const proxy = await startProxy(name, { scratch, gatewayPorts });
  running.push(proxy);
  const load = startLoad(proxy.target, nodes[0].read('first-key'));
  const progress = (count) =>
    waitUntil(async () => load.counts.sent >= count || undefined, `${count} requests were sent`);
  await progress(100);
  for (let round = 0; round < Number(rounds); round++)
    for (const index of [0, 1]) {
      await nodes[index].stop();
      await progress(load.counts.sent + 100);
      nodes[index] = await startNode(index);
      await progress(load.counts.sent + 500);
    }
  const { sent, lost } = await load.stop();
  console.log(`${sent} requests, ${lost.length} lost`);
  for (const fault of new Set(lost)) console.log(fault);
  process.exitCode = lost.length > 0 ? 1 : 0;
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
} finally {
  for (const each of running.reverse()) await each.stop();
  rmSync(scratch, { recursive: true, force: true });
}
