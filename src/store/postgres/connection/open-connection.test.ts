import { expect, test } from 'bun:test';
import { openConnection } from './open-connection.ts';
import { parseConnectionUrl } from './parse-connection-url.ts';

test('a connection that cannot be encrypted as required is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.write('N'), close: () => closed.resolve() },
  });
  const target = parseConnectionUrl(`postgres://127.0.0.1:${server.port}/x?sslmode=require`);
  await expect(openConnection(target, { timeoutMs: 5_000 })).rejects.toThrow('does not support TLS');
  await closed.promise;
  server.stop();
}, 2_000);
