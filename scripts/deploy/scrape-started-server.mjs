import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, startProcess } from './spawned-process.mjs';

/** Starts a server with simulated providers, sends it requests, and returns the text of its metrics. */
export async function scrapeStartedServer(root) {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-scrape-'));
  const server = startProcess(join(root, 'bin', 'tollgate'), ['serve', '--port', '0', '--data', data]);
  try {
    const url = await addressOf(server, data);
    const key = readFileSync(join(data, 'first-key'), 'utf8').trim();
    const { data: models } = await (await fetch(`${url}/v1/models`)).json();
    for (const model of [models[0].id, 'no-such-model']) await ask(url, key, model);
    return await (await fetch(`${url}/metrics`)).text();
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function ask(url, key, model) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
}
