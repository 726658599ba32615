// Starts what stands behind and around an example of a proxy: gateways, a certificate and the proxy itself.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { askProxy } from './ask-proxy.mjs';
import { HOST, proxies, writeExample } from './proxy-examples.mjs';
import { addressOf, startProcess, waitUntil } from './spawned-process.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const configuration = ({ upstream, plans, server }) => ({
  server: { trusted_proxies: ['127.0.0.1'], ...server },
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
  plans,
});

/**
 * Starts a gateway of a source tree, with a data directory in the scratch directory.
 * `port` 0 stands for any free port.
 */
export async function startGateway({ scratch, name, port = 0, tree = root, environment = {}, ...settings }) {
  const data = join(scratch, name);
  mkdirSync(data, { recursive: true });
  const file = join(scratch, `${name}.yaml`);
  writeFileSync(file, stringify(configuration(settings)));
  writeFileSync(join(data, 'address'), '');
  const program = join(tree, 'bin', 'tollgate');
  const args = ['serve', '--port', String(port), '--data', data, '--config', file];
  const server = startProcess(program, args, { env: { ...process.env, ...environment } });
  const url = await addressOf(server, data).catch(async (error) => {
    await server.stop();
    throw error;
  });
  const read = (name) => readFileSync(join(data, name), 'utf8').trim();
  return { url, read, stop: server.stop, output: server.output };
}

function makeCertificate(scratch) {
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((file) => join(scratch, file));
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const form = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  const made = spawnSync('openssl', [...form, ...subject, '-keyout', key, '-out', certificate]);
  if (made.status !== 0) throw new Error(`openssl: ${made.error?.message ?? made.stderr}`);
  return { certificate, key };
}

/** The proxies and nodes that start again need their ports in advance. */
export function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Checks the file of an example, and starts its proxy in front of the gateways.
 * Throws if the proxy refuses the file.
 */
export async function startProxy(name, { scratch, gatewayPorts }) {
  const port = await findFreePort();
  const redirectPort = await findFreePort();
  const certificate = makeCertificate(scratch);
  const file = writeExample(name, root, { scratch, port, redirectPort, gatewayPorts, ...certificate });
  const env = { ...process.env, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch };
  const [program, ...args] = proxies[name].check(file);
  const checked = spawnSync(program, args, { encoding: 'utf8', env });
  if (checked.status !== 0)
    throw new Error(`the file is refused: ${checked.error?.message ?? checked.stdout + checked.stderr}`);
  const [start, ...startArgs] = proxies[name].start(file);
  const proxy = startProcess(start, startArgs, { env });
  const target = { port, host: HOST, authority: readFileSync(certificate.certificate) };
  const answers = async () => {
    if (proxy.hasEnded()) throw new Error(`${name} ended: ${proxy.output()}`);
    const answer = await askProxy(target, '/healthz').catch(() => undefined);
    return answer?.status === 200 ? answer : undefined;
  };
  await waitUntil(answers, `${name} answers`).catch(async (error) => {
    await proxy.stop();
    throw error;
  });
  return { target, stop: proxy.stop, output: proxy.output };
}
