// The health check of the container image: exits with 0 if the server in this container
// answers /healthz, else with 1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TIMEOUT_MS = 4_000;

try {
  // The server writes its address when it listens, so every port and listener works.
  const address = readFileSync(join(process.env.DATA_DIR ?? '/data', 'address'), 'utf8').trim();
  const { status } = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (status !== 200) throw new Error(`/healthz answered ${status}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
