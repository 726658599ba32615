import { HttpClient } from '../http-client.ts';
import { proxiesOf } from '../proxies.ts';
import { prepareRequestHead } from '../request-head.ts';

// Runs as a process of its own, since trust and proxies are read at the start. `send-once.ts URL` prints the
// result.
const TIMEOUT_MS = 5_000;
const timeouts = { connectMs: TIMEOUT_MS, firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS };
const head = prepareRequestHead(process.argv[2]!, { 'content-type': 'application/json' });
const client = new AbortController().signal;
try {
  const answer = await new HttpClient({ proxies: proxiesOf(process.env) }).send({
    head,
    body: '{}',
    timeouts,
    client,
  });
  console.log(answer.status, (await answer.readText(1_000)).text);
} catch (error) {
  console.log('failed', (error as { code?: string }).code ?? String(error));
}
process.exit(0);
