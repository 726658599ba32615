import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** Returns the Collector's program, or undefined if there is none. */
export function findCollector(root) {
  const built = join(root, 'node_modules', '.cache', 'otelcol', 'otelcol');
  const candidates = [process.env.OTELCOL, existsSync(built) ? built : undefined, 'otelcol'];
  return candidates.find(
    (program) => program && !spawnSync(program, ['--version'], { stdio: 'ignore' }).error,
  );
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a Collector that prints what it receives. */
export async function startCollector(program, scratch) {
  const port = await freePort();
  const pipeline = { receivers: ['otlp'], exporters: ['debug'] };
  const configuration = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { debug: { verbosity: 'detailed' } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: pipeline, metrics: pipeline },
    },
  };
  const file = join(scratch, 'collector.yaml');
  writeFileSync(file, stringify(configuration));
  const child = spawn(program, ['--config', `file:${file}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      output += text;
    });
  }
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    return output;
  };
  const until = Date.now() + START_TIMEOUT_MS;
  while (!output.includes('Everything is ready')) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error(`the Collector did not start: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}
