import { afterAll, beforeEach, expect, test } from 'bun:test';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { NativeOrder } from './native-transport.ts';
import { openaiTransport } from './openai-transport.ts';

const removed: string[] = [];
const answers = new Map<string, Response>();
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ method, url }) {
    const path = new URL(url).pathname.replace('/v1', '');
    if (method === 'DELETE') removed.push(path);
    return answers.get(`${method} ${path}`)?.clone() ?? Response.json({ id: 'file-1' });
  },
});
afterAll(() => vendor.stop(true));
beforeEach(() => {
  removed.length = 0;
  answers.clear();
});

const provider = {
  id: 'one',
  baseUrl: `http://127.0.0.1:${vendor.port}/v1`,
  apiKey: 'key',
  cloud: null,
  headers: {},
  query: '',
} as unknown as Provider;
const order: NativeOrder = { provider, path: '/chat/completions', requests: [], mark: 'mark', version: null };

test.each([
  [400, ['/files/file-1']],
  [502, []],
])('the file of a batch that is answered with %d is removed if the provider has no batch', async (status, files) => {
  answers.set('POST /batches', Response.json({ error: { message: 'no' } }, { status }));
  await expect(openaiTransport.submit(order)).rejects.toThrow();
  expect(removed).toEqual(files);
});

test('a file that cannot be removed does not keep the others', async () => {
  answers.set(
    'GET /batches/b1',
    Response.json({ input_file_id: 'in', output_file_id: 'out', error_file_id: null }),
  );
  answers.set('DELETE /files/in', Response.json({}, { status: 404 }));
  await expect(openaiTransport.remove({ provider, upstreamId: 'b1' })).rejects.toThrow();
  expect(removed.toSorted()).toEqual(['/files/in', '/files/out']);
});
