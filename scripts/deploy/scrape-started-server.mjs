import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/**
 * Starts a server with simulated providers, sends it requests, and returns the text of its metrics. `headers` and `body` are added to the
 * requests.
 */
export async function scrapeStartedServer(root, { environment = {}, headers = {}, body = {} } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-scrape-'));
  const server = spawn(join(root, 'bin', 'tollgate'), ['serve', '--port', '0', '--data', data], {
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  try {
    const url = await readWhenThere(join(data, 'address'));
    const key = readFileSync(join(data, 'first-key'), 'utf8').trim();
    const { data: models } = await (await fetch(`${url}/v1/models`)).json();
    for (const model of [models[0].id, 'no-such-model'])
      await ask(url, { headers: { ...headers, authorization: `Bearer ${key}` }, body: { ...body, model } });
    return await (await fetch(`${url}/metrics`)).text();
  } finally {
    server.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

async function readWhenThere(path) {
  for (const until = Date.now() + START_TIMEOUT_MS; Date.now() < until; ) {
    const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    if (text !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the server did not start');
}

async function ask(url, { headers, body }) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
}
