import { afterAll, expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { testSeed } from '../support/test-seed.ts';
import { waitFor } from '../support/wait-for.ts';

const server = await startServer();
afterAll(() => server.stop());

const MODEL = '@svc/gpt-oss-120b';
const WHOLE = JSON.stringify({
  type: 'response.create',
  model: MODEL,
  stream_id: 'a',
  input: [{ role: 'user', content: 'say: hi' }],
  tools: [{ type: 'function', name: 'find', parameters: {} }],
});
const PIECES = ['"', '{', '}', '[', ']', ',', ':', 'null', '-1', '\\ud800', '"input"', '"type"', 'true'];

test('a connection serves the next turn after errors for broken messages [WSR-04]', async () => {
  const random = seededRandom(testSeed(1));
  const { key } = await server.createKey('enterprise');
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/responses`, {
    headers: bearer(key),
  } as never);
  const events: Json[] = [];
  socket.onmessage = ({ data }) => events.push(JSON.parse(String(data)));
  await waitFor(() => socket.readyState === WebSocket.OPEN);
  for (let round = 0; round < 300; round++) {
    const at = Math.floor(random() * WHOLE.length);
    const length = Math.floor(random() * 12);
    const piece = PIECES[Math.floor(random() * PIECES.length)]!;
    socket.send(WHOLE.slice(0, at) + piece + WHOLE.slice(at + length));
  }
  socket.send(new Uint8Array([1, 2, 3]));
  await waitFor(() => events.length >= 250);
  expect(events.filter(({ type }) => type === 'error').every(({ status }) => status < 500)).toBe(true);
  const isLast = ({ type, stream_id }: Json) => type === 'response.completed' && stream_id === 'last';
  socket.send(JSON.stringify({ type: 'response.create', model: MODEL, stream_id: 'last', input: 'say: hi' }));
  await waitFor(() => events.some(isLast));
  expect(socket.readyState).toBe(WebSocket.OPEN);
  socket.close();
});
