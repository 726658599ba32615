import { afterAll, expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const ORDINARY = 10 * 500 + 5 * 2_000;
const PRIORITY = 2 * ORDINARY;
const FLEX = ORDINARY / 2;

type Report = { header?: string; usage?: Json };
let report: Report = {};

const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const answer = JSON.stringify({
      responseId: 'x',
      modelVersion: 'hidden',
      candidates: [{ content: { role: 'model', parts: [{ text: 'one' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15, ...report.usage },
    });
    const isStream = request.url.includes(':streamGenerateContent');
    const headers = {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      ...(report.header !== undefined && { 'x-gemini-service-tier': report.header }),
    };
    return new Response(isStream ? `data: ${answer}\n\n` : answer, { headers });
  },
});
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      { id: 'hidden', wire: 'google-generate', base_url: `http://127.0.0.1:${upstream.port}/v1beta` },
    ],
    catalog: {
      default: false,
      models: [
        ableModel('tiered', [{ provider: 'hidden', model: 'hidden' }], {
          extras_usd: { priority: 2, flex: 0.5 },
        }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop(true);
});

/** Sends a request that asks for a tier, and returns its charge in microcredits. */
async function charged(asked: string | undefined, reported: Report, method = 'generateContent') {
  report = reported;
  const { key, account } = await server.createKey('enterprise');
  const answer = await server.call(`/v1beta/models/tiered:${method}`, {
    headers: { 'x-goog-api-key': key },
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], serviceTier: asked },
  });
  expect(answer.status, answer.text).toBe(200);
  const [entry] = await ledgerEntries(server, account);
  return entry.microcredits;
}

test('the tier in the header of the Gemini API decides the price [CRD-54]', async () => {
  expect(await charged('priority', { header: 'priority' })).toBe(PRIORITY);
  expect(await charged('priority', { header: 'standard' })).toBe(ORDINARY);
  expect(await charged('priority', { header: 'priority' }, 'streamGenerateContent?alt=sse')).toBe(PRIORITY);
});

test("the tier in the usage decides the price, in the words of both Google's clouds [CRD-54]", async () => {
  expect(await charged('priority', { usage: { serviceTier: 'SERVICE_TIER_PRIORITY' } })).toBe(PRIORITY);
  expect(await charged('priority', { usage: { trafficType: 'ON_DEMAND_PRIORITY' } })).toBe(PRIORITY);
  expect(await charged('priority', { usage: { trafficType: 'ON_DEMAND' } })).toBe(ORDINARY);
});

test('a tier that the request did not ask for lowers the price if it is cheaper [CRD-54]', async () => {
  expect(await charged(undefined, { header: 'flex' })).toBe(FLEX);
  expect(await charged(undefined, { header: 'priority' })).toBe(ORDINARY);
});
