import { afterAll, beforeEach, expect, test } from 'bun:test';
import type { NativeOrder } from './native-transport.ts';
import { openaiTransport } from './openai-transport.ts';
import { vendorProvider } from './testing/vendor-provider.ts';

const removed: string[] = [];
const answers = new Map<string, { status: number; body: object }>();
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ method, url }) {
    const path = new URL(url).pathname.replace('/v1', '');
    if (method === 'DELETE') removed.push(path);
    const { status, body } = answers.get(`${method} ${path}`) ?? { status: 200, body: { id: 'file-1' } };
    return Response.json(body, { status });
  },
});
afterAll(() => vendor.stop(true));
beforeEach(() => {
  removed.length = 0;
  answers.clear();
});

const provider = vendorProvider(vendor.port);
const order: NativeOrder = { provider, path: '/chat/completions', requests: [], mark: 'mark', version: null };

test.each([
  [400, ['/files/file-1']],
  [502, []],
])('the file of a batch that is answered with %d is removed if the provider has no batch', async (status, files) => {
  answers.set('POST /batches', { status, body: { error: { message: 'no' } } });
  await expect(openaiTransport.submit(order)).rejects.toThrow();
  expect(removed).toEqual(files);
});

test('a file that cannot be removed does not keep the others', async () => {
  answers.set('GET /batches/b1', {
    status: 200,
    body: { input_file_id: 'in', output_file_id: 'out', error_file_id: null },
  });
  answers.set('DELETE /files/in', { status: 404, body: {} });
  await expect(openaiTransport.remove({ provider, upstreamId: 'b1' })).rejects.toThrow();
  expect(removed.toSorted()).toEqual(['/files/in', '/files/out']);
});
