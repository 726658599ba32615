#!/usr/bin/env node
// Runs an example of a proxy in front of a gateway: `node scripts/deploy/check-proxy.mjs nginx|caddy|…`.
// Prints each problem in one line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProxyProblems } from './find-proxy-problems.mjs';
import { startGateway, startProxy } from './proxied-gateway.mjs';
import { proxies } from './proxy-examples.mjs';
import { startHeldUpstream } from './start-held-upstream.mjs';

const [name] = process.argv.slice(2);
if (!Object.hasOwn(proxies, name ?? '')) {
  console.error(`usage: check-proxy.mjs ${Object.keys(proxies).join('|')}`);
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'tollgate-proxy-'));

/**
 * The gateway has one listener for everything, so that only the proxy keeps its clients from operators'
 * addresses.
 */
const settings = { server: { drain_s: 1 }, plans: { free: { network_requests_per_min: 1 } } };

const upstream = await startHeldUpstream();
const running = [];
try {
  const server = await startGateway({ scratch, name: 'data', upstream, ...settings });
  running.push(server);
  const gatewayPort = new URL(server.url).port;
  const proxy = await startProxy(name, { scratch, gatewayPorts: [gatewayPort, gatewayPort] });
  running.push(proxy);
  const gateway = {
    url: server.url,
    adminToken: server.read('admin-token'),
    firstKey: server.read('first-key'),
  };
  const problems = await findProxyProblems({ target: proxy.target, gateway, upstream });
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
} finally {
  upstream.stop();
  for (const each of running.reverse()) await each.stop();
  rmSync(scratch, { recursive: true, force: true });
}
