import { expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { dropNewConnections } from './drop-new-connections.ts';

const isLinux = process.platform === 'linux';

test.skipIf(!isLinux)('only connections that exist are served', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('served') });
  const port = server.port!;
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
      socket.on('error', reject);
    });
  const early = await open();
  expect(dropNewConnections(port)).toBe(true);
  const late = open().then(
    () => 'connected',
    (error) => error.code,
  );
  const answer = new Promise<string>((resolve) => early.once('data', (bytes) => resolve(bytes.toString())));
  early.write(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
  expect(await answer).toContain('served');
  await server.stop(false);
  expect(await late).toBe('ECONNREFUSED');
});

test('the connections of a port without a listener cannot be dropped', () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = server.port!;
  server.stop(true);
  expect(dropNewConnections(port)).toBe(false);
});
