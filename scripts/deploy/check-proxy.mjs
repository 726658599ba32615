#!/usr/bin/env node
// Runs an example of a proxy in front of a gateway: `node scripts/deploy/check-proxy.mjs nginx|caddy`. Prints each problem in one line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { askProxy, findProxyProblems } from './find-proxy-problems.mjs';
import { startHeldUpstream } from './held-upstream.mjs';
import { HOST, proxies, writeExample } from './proxy-examples.mjs';
import { addressOf, startProcess, waitUntil } from './spawned-process.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [name] = process.argv.slice(2);
if (!Object.hasOwn(proxies, name ?? '')) {
  console.error(`usage: check-proxy.mjs ${Object.keys(proxies).join('|')}`);
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'tollgate-proxy-'));

const configuration = (upstream) => ({
  server: { trusted_proxies: ['127.0.0.1'], drain_s: 1 },
  local_servers: { mode: 'off' },
  providers: [{ id: 'upstream', wire: 'openai-chat', base_url: upstream.url }],
  catalog: {
    default: false,
    models: [
      {
        id: 'test-model',
        plan: 'free',
        context_window: 8_192,
        pricing_usd_per_mtok: { input: 1, output: 1 },
        routes: [{ provider: 'upstream', model: 'm' }],
      },
    ],
  },
  plans: { free: { network_requests_per_min: 1 } },
});

function makeCertificate() {
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((file) => join(scratch, file));
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const form = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  const made = spawnSync('openssl', [...form, ...subject, '-keyout', key, '-out', certificate]);
  if (made.status !== 0) throw new Error(`openssl: ${made.error?.message ?? made.stderr}`);
  return { certificate, key };
}

/** The proxies need their ports in advance. */
function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function startGateway(upstream) {
  const data = join(scratch, 'data');
  const file = join(scratch, 'tollgate.yaml');
  writeFileSync(file, stringify(configuration(upstream)));
  const program = join(root, 'bin', 'tollgate');
  const server = startProcess(program, ['serve', '--port', '0', '--data', data, '--config', file]);
  const url = await addressOf(server, data).catch(async (error) => {
    await server.stop();
    throw error;
  });
  const read = (name) => readFileSync(join(data, name), 'utf8').trim();
  return { url, adminToken: read('admin-token'), firstKey: read('first-key'), stop: server.stop };
}

/** Checks the example's file, starts the proxy, and returns what is wrong with the answers behind it. */
async function problemsBehind(gateway, upstream) {
  const port = await findFreePort();
  const redirectPort = await findFreePort();
  const places = { scratch, port, redirectPort, gatewayPort: new URL(gateway.url).port };
  const certificate = makeCertificate();
  const file = writeExample(name, root, { ...places, ...certificate });
  const environment = { ...process.env, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch };
  const [program, ...args] = proxies[name].check(file);
  const checked = spawnSync(program, args, { encoding: 'utf8', env: environment });
  if (checked.status !== 0)
    return [`the file is refused: ${checked.error?.message ?? checked.stdout + checked.stderr}`];
  const [start, ...startArgs] = proxies[name].start(file);
  const proxy = startProcess(start, startArgs, { env: environment });
  try {
    const target = { port, host: HOST, authority: readFileSync(certificate.certificate) };
    await waitUntil(async () => {
      if (proxy.hasEnded()) throw new Error(`${name} ended: ${proxy.output()}`);
      return askProxy(target, '/healthz').catch(() => undefined);
    }, `${name} answers`);
    return await findProxyProblems({ target, gateway, upstream });
  } finally {
    await proxy.stop();
  }
}

const upstream = await startHeldUpstream();
let gateway;
try {
  gateway = await startGateway(upstream);
  const problems = await problemsBehind(gateway, upstream);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  upstream.stop();
  await gateway?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
