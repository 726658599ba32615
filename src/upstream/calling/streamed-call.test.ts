import { afterAll, expect, test } from 'bun:test';
import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import { sampleProvider } from '../../settings/hosts/testing/sample-provider.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import { HttpClient } from '../http-client/http-client.ts';
import type { UpstreamCall } from './upstream-call.ts';
import { UpstreamCaller } from './upstream-caller.ts';

const seen: { type: string | null; key: string | null; cookie: string | null; body: string }[] = [];
const host = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { headers } = request;
    const [type, key, cookie] = ['content-type', 'authorization', 'cookie'].map((name) => headers.get(name));
    seen.push({ type: type!, key: key!, cookie: cookie!, body: await request.text() });
    return Response.json({});
  },
});
const client = new HttpClient({ proxies: { http: false, https: false } });
afterAll(() => {
  client.close();
  return host.stop(true);
});

const provider = sampleProvider({ apiKey: 'its-key', baseUrl: `http://127.0.0.1:${host.port}/v1` });
const target = sampleTarget({ provider });

const formOf = (boundary: string): StreamedBody => ({
  contentType: `multipart/form-data; boundary=${boundary}`,
  byteLength: 3,
  async *pieces() {
    yield Buffer.from('abc');
  },
});
const call = (streamed?: StreamedBody): UpstreamCall => ({
  target,
  wire: 'openai-chat',
  path: '/x',
  body: streamed ? '' : '{}',
  streamed,
  stream: false,
  client: new AbortController().signal,
  graceMs: 0,
  maxBytes: 1_000,
  clientHeaders: new Headers({ cookie: 'a=b', 'content-type': 'multipart/form-data; boundary=clients' }),
});

test('sends each form with its own boundary, the key of the provider and no header of the client', async () => {
  const caller = new UpstreamCaller(client);
  for (const streamed of [formOf('one'), undefined, formOf('two')]) {
    const answer = await caller.call(call(streamed));
    if ('readText' in answer) await answer.readText();
  }
  const form = (boundary: string) => `multipart/form-data; boundary=${boundary}`;
  const kept = { key: 'Bearer its-key', cookie: null };
  expect(seen).toEqual([
    { type: form('one'), body: 'abc', ...kept },
    { type: 'application/json', body: '{}', ...kept },
    { type: form('two'), body: 'abc', ...kept },
  ]);
});
