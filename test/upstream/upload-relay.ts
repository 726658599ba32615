import { Refusal } from '../../src/base/errors/refusal.ts';
import { outgoingForm } from '../../src/base/forms/outgoing-form.ts';
import { parseBodyAtOnce } from '../../src/base/json/parse-body.ts';
import { MemoryBudget } from '../../src/base/memory/memory-budget.ts';
import { BodyGate } from '../../src/edge/http/body-gate.ts';
import type { Exchange } from '../../src/edge/http/exchange.ts';
import { UnderWay } from '../../src/edge/http/under-way.ts';
import { createFormReader } from '../../src/edge/uploads/create-form-reader.ts';
import { UploadSpace } from '../../src/edge/uploads/upload-space.ts';
import { HttpClient } from '../../src/upstream/http-client/http-client.ts';
import { prepareRequestHead } from '../../src/upstream/http-client/request-head.ts';

// Runs as a process of its own, whose memory is measured and which is killed. `upload-relay.ts FOLDER URL…`
// reads forms, and sends each to the first of the hosts that answers with 200.
const [directory, ...hosts] = process.argv.slice(2);
const MEGABYTE = 1024 * 1024;
const MINUTE_MS = 60_000;
const sizes = {
  totalBytes: 96 * MEGABYTE,
  largeBytes: 64 * MEGABYTE,
  waitingBytes: 32 * MEGABYTE,
  overdrawnBytes: 128 * MEGABYTE,
};
const budget = new MemoryBudget({ sizes, timeoutMs: MINUTE_MS });
const gate = new BodyGate({ budget, timeoutMs: MINUTE_MS, underWay: new UnderWay() });
const space = new UploadSpace({ directory: directory!, maxBytes: () => 2_048 * MEGABYTE });
const readForm = createFormReader({ gate, space, readJson: () => parseBodyAtOnce('{}') });
const client = new HttpClient({ proxies: { http: false, https: false } });
const timeouts = { connectMs: MINUTE_MS, firstByteMs: MINUTE_MS, idleMs: MINUTE_MS, totalMs: MINUTE_MS };
let maxBooked = 0;

async function relay(request: Request): Promise<Response> {
  const config = { limits: { max_upload_mb: 64 } };
  const exchange = { request, notes: {}, snapshot: { config } } as unknown as Exchange;
  try {
    const body = await readForm(exchange, { fields: {}, files: { file: 1 }, required: 'file' });
    if (body instanceof Refusal) return new Response(body.message, { status: body.status });
    maxBooked = Math.max(maxBooked, budget.usedBytes);
    for (const host of hosts) {
      const answer = await sendTo(host, body.form!).catch(() => undefined);
      if (answer !== undefined) return new Response(answer);
    }
    return new Response('no host', { status: 503 });
  } finally {
    exchange.booking?.free();
    exchange.upload?.release();
  }
}

async function sendTo(host: string, form: Parameters<typeof outgoingForm>[0]): Promise<string | undefined> {
  const streamed = outgoingForm(form, { model: 'its-name' }, `form-${crypto.randomUUID()}`);
  const head = prepareRequestHead(host, { 'content-type': streamed.contentType });
  const signal = new AbortController().signal;
  const answer = await client.send({ head, body: '', streamed, timeouts, client: signal });
  const { text } = await answer.readText(1_000);
  return answer.status === 200 ? text : undefined;
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  idleTimeout: 60,
  fetch: (request) =>
    request.method === 'GET'
      ? Response.json({ disk: space.usedBytes, memory: budget.usedBytes, maxBooked })
      : relay(request),
});
console.log(server.port);
