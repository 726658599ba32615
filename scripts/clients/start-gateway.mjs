import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** Starts a server on a free port with the simulator. Providers' keys of this environment would replace the simulator, so none is passed on. */
export async function startGateway(root) {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-gateway-'));
  const { PATH, HOME } = process.env;
  const server = spawn(join(root, 'bin', 'tollgate'), ['serve', '--port', '0', '--data', data], {
    env: { PATH, HOME, TOLLGATE_LOCAL_SERVERS: 'off' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const read = (name) => (existsSync(join(data, name)) ? readFileSync(join(data, name), 'utf8').trim() : '');
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  for (const until = Date.now() + START_TIMEOUT_MS; read('address') === ''; ) {
    if (Date.now() > until || server.exitCode !== null) {
      await stop();
      throw new Error('the server did not start');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { url: read('address'), key: read('first-key'), adminToken: read('admin-token'), stop };
}
