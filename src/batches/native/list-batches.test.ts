import { afterAll, expect, test } from 'bun:test';
import { openaiTransport } from './openai-transport.ts';
import { vendorProvider } from './testing/vendor-provider.ts';

const DATE = new Date(Date.UTC(2026, 0, 1)).toUTCString();

let pages: Record<string, unknown>[] = [];
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => {
    const after = new URL(url).searchParams.get('after');
    return Response.json(pages[after === null ? 0 : 1], { headers: { date: DATE } });
  },
});
afterAll(() => vendor.stop(true));

const provider = vendorProvider(vendor.port);

const list = () => Array.fromAsync(openaiTransport.list(provider));

test('all pages of batches are listed, with marks, sizes and ages', async () => {
  const created_at = Date.parse(DATE) / 1_000 - 60;
  pages = [
    { data: [{ id: 'b2', created_at, request_counts: { total: 3 }, metadata: null }], has_more: true },
    { data: [{ id: 'b1', metadata: { submission: 'mark' } }, { object: 'batch' }], has_more: false },
  ];
  expect(await list()).toEqual([
    { upstreamId: 'b2', mark: null, size: 3, ageMs: 60_000 },
    { upstreamId: 'b1', mark: 'mark', size: undefined, ageMs: undefined },
  ]);
});

test('an answer without a list does not show that the provider has no batch', async () => {
  pages = [{ error: { message: 'try again' } }];
  await expect(list()).rejects.toMatchObject({ code: 'upstream_unavailable' });
});
