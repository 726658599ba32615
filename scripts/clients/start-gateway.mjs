import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wires } from './wires.mjs';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/**
 * Starts the program and waits until `ready` returns something. Providers' keys of this environment would
 * replace the simulator, so none is passed on.
 */
async function start(root, { options, ready }) {
  const { PATH, HOME } = process.env;
  const child = spawn(join(root, 'bin', 'tollgate'), options, {
    env: { PATH, HOME, TOLLGATE_LOCAL_SERVERS: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (bytes) => {
    output += bytes;
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    end();
    await ended;
  };
  for (const until = Date.now() + START_TIMEOUT_MS; ; ) {
    const found = ready(output);
    if (found) return { found, stop };
    if (Date.now() > until || child.exitCode !== null) {
      await stop();
      throw new Error(`bin/tollgate ${options[0]} did not start`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Returns a provider and a model of each wire. `simulated` is the name of the simulator's model. */
const configurationOf = (upstream, simulated) => ({
  providers: wires.map(({ id, wire, path }) => ({
    id,
    wire,
    base_url: `${upstream}${path}`,
    api_key: 'any',
  })),
  catalog: {
    models: wires.map(({ id, model }) => ({
      id: model,
      plan: 'free',
      delivery: 'exact',
      context_window: 200_000,
      capabilities: { tools: true, reasoning: true, vision: true, documents: true },
      reasoning_efforts: ['low', 'medium', 'high'],
      pricing_usd_per_mtok: { input: 1, output: 4 },
      routes: [{ provider: id, model: simulated }],
    })),
  },
});

/**
 * Starts a simulator on all wires and a gateway before it, each on a free port. The models of the default
 * catalog have the built-in simulator. `sections` are further sections of the configuration.
 */
export async function startGateway(root, sections = {}, simulated = 'simulated') {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-gateway-'));
  const read = (name) => (existsSync(join(data, name)) ? readFileSync(join(data, name), 'utf8').trim() : '');
  const simulator = await start(root, {
    options: ['simulate', '--port', '0', '--json'],
    ready: (output) => /"url": "(.*)"/.exec(output)?.[1],
  });
  const config = join(data, 'tollgate.json');
  writeFileSync(config, JSON.stringify({ ...configurationOf(simulator.found, simulated), ...sections }));
  const stopAll = async (server) => {
    await server?.stop();
    await simulator.stop();
    rmSync(data, { recursive: true, force: true });
  };
  const options = ['serve', '--config', config, '--port', '0', '--data', data];
  const server = await start(root, { options, ready: () => read('address') }).catch(async (error) => {
    await stopAll();
    throw error;
  });
  return {
    url: server.found,
    key: read('first-key'),
    adminToken: read('admin-token'),
    stop: () => stopAll(server),
  };
}
