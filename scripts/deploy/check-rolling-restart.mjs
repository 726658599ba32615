#!/usr/bin/env node
// Restarts two nodes behind an example of a proxy, one after the other, under load:
// `node scripts/deploy/check-rolling-restart.mjs nginx-two-nodes|haproxy [ROUNDS [COMMIT]]`. Fails if a
// request was lost. Both nodes share a Postgres that this program starts. With the commit of an earlier
// version, the nodes run that version first, and the first round replaces them. It needs the history of git.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, startGateway, startProxy } from './proxied-gateway.mjs';
import { proxies } from './proxy-examples.mjs';
import { waitUntil } from './spawned-process.mjs';
import { startHeldUpstream } from './start-held-upstream.mjs';
import { startRollingLoad } from './start-rolling-load.mjs';
import { startSharedDatabase } from './start-shared-database.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [name, rounds = '2', commit] = process.argv.slice(2);
if (!Object.hasOwn(proxies, name ?? '')) {
  console.error(`usage: check-rolling-restart.mjs ${Object.keys(proxies).join('|')} [ROUNDS [COMMIT]]`);
  process.exit(2);
}
const ADMIN_TOKEN = 'admin-token-of-the-rolling-restart';
/** The requests that are sent before the first stop, while a node is down, and after its start. */
const SENT_FIRST = 100;
const SENT_WITHOUT_NODE = 100;
const SENT_WITH_BOTH = 500;
const plans = {
  enterprise: {
    requests_per_min: 1_000_000,
    requests_per_5min: null,
    tokens_per_min: 1_000_000_000,
    concurrent: 1_000,
  },
};

/** Writes the source tree of the commit, with the packages of this one. */
function unpackTree(folder) {
  mkdirSync(folder);
  const script = 'git archive "$0" | tar -x -C "$1"';
  const { status, stderr } = spawnSync('sh', ['-c', script, commit, folder], { cwd: root, encoding: 'utf8' });
  if (status !== 0 || stderr) throw new Error(`the tree of ${commit} cannot be read: ${stderr}`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Restarts the nodes in turn while requests are sent. Returns how many were sent, and the faults. */
async function restartUnderLoad(nodes, startNode, target) {
  const { counts, stop } = startRollingLoad(target, nodes[0].read('first-key'));
  const untilSent = (more) => {
    const total = counts.sent + more;
    return waitUntil(async () => counts.sent >= total || undefined, `${total} requests were sent`);
  };
  await untilSent(SENT_FIRST);
  for (let round = 0; round < Number(rounds); round++)
    for (const index of nodes.keys()) {
      await nodes[index].stop();
      await untilSent(SENT_WITHOUT_NODE);
      nodes[index] = await startNode(index);
      await untilSent(SENT_WITH_BOTH);
    }
  return stop();
}

const scratch = mkdtempSync(join(tmpdir(), 'tollgate-rolling-'));
const running = [];
try {
  const upstream = await startHeldUpstream();
  running.push(upstream);
  upstream.release();
  const database = await startSharedDatabase(root);
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
  const { sent, lost } = await restartUnderLoad(nodes, startNode, proxy.target);
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
