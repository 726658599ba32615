import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, startProcess } from './spawned-process.mjs';

/**
 * Starts a server with simulated providers, sends it requests, and returns the text of its metrics. `headers`
 * and `body` are added to the requests.
 */
export async function scrapeStartedServer(root, { environment = {}, headers = {}, body = {} } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-scrape-'));
  const args = ['serve', '--port', '0', '--data', data];
  const server = startProcess(join(root, 'bin', 'tollgate'), args, {
    env: { PATH: process.env.PATH, HOME: data, TOLLGATE_LOCAL_SERVERS: 'off', ...environment },
  });
  try {
    const url = await addressOf(server, data);
    const key = readFileSync(join(data, 'first-key'), 'utf8').trim();
    const { data: models } = await (await fetch(`${url}/v1/models`)).json();
    for (const model of [models[0].id, 'no-such-model'])
      await ask(url, { headers: { ...headers, authorization: `Bearer ${key}` }, body: { ...body, model } });
    return await (await fetch(`${url}/metrics`)).text();
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function ask(url, { headers, body }) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
}
