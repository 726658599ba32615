import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { openKernelSockets } from './kernel-sockets.ts';

const sockets = openKernelSockets();
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('well') });
afterAll(() => server.stop(true));

/** The descriptors of connections to the server. */
const accepted = (): number[] =>
  Array.from({ length: 1_024 }, (_, descriptor) => descriptor).filter((descriptor) =>
    sockets!.peerPort(descriptor, server.port!),
  );

// Other kernels do not expose connections, so only the runtime's own timers apply there.
test.if(process.platform === 'linux')('shows a connection, counts its bytes and closes it', async () => {
  const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
  const client = connect(server.port!, '127.0.0.1');
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.write(request);
  const { byteLength } = await new Promise<Buffer>((resolve) =>
    client.once('data', (bytes: Buffer) => resolve(bytes)),
  );
  const [descriptor, ...others] = accepted();
  expect(others).toEqual([]);
  expect(sockets!.peerAddress(descriptor!)).toBe('127.0.0.1');
  expect(sockets!.peerPort(descriptor!, server.port!)).toBe(client.localPort!);
  expect(sockets!.figures(descriptor!)).toMatchObject({ received: request.length, sent: byteLength });
  sockets!.close(descriptor!);
  await closed;
  expect(accepted()).toEqual([]);
});

test.if(process.platform === 'linux')('writes addresses as the runtime does', async () => {
  for (const hostname of ['::', '127.0.0.1', '::1']) {
    let addresses: unknown[] = [];
    const other = serveIfPossible(hostname, (request, { requestIP, port }) => {
      const all = Array.from({ length: 1_024 }, (_, descriptor) => descriptor);
      const own = all.filter((descriptor) => sockets!.peerPort(descriptor, port));
      addresses = [requestIP(request)?.address, ...own.map((descriptor) => sockets!.peerAddress(descriptor))];
    });
    if (!other) continue; // no IPv6 on this machine
    await fetch(`http://${hostname === '::1' ? '[::1]' : '127.0.0.1'}:${other.port}`);
    expect(addresses).toHaveLength(2);
    expect(addresses[1]).toBe(addresses[0]);
    await other.stop(true);
  }
});

type Inside = { requestIP(request: Request): { address: string } | null; port: number };

function serveIfPossible(hostname: string, look: (request: Request, inside: Inside) => void) {
  try {
    return Bun.serve({
      hostname,
      port: 0,
      fetch(request, inner) {
        look(request, { requestIP: (one) => inner.requestIP(one), port: inner.port! });
        return new Response('well');
      },
    });
  } catch {
    return undefined;
  }
}

test.if(process.platform === 'linux')('distinguishes sockets from other descriptors', () => {
  expect(sockets!.peerPort(1_000_000, server.port!)).toBeUndefined();
  expect(sockets!.figures(1_000_000)).toBeUndefined();
});
