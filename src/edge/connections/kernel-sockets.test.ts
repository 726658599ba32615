import { afterAll, expect, test } from 'bun:test';
import { connect, createServer } from 'node:net';
import { openKernelSockets } from './kernel-sockets.ts';

const sockets = openKernelSockets();
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('well') });
afterAll(() => server.stop(true));

// Other kernels do not expose connections, so only the runtime's own timers apply there.
const onLinux = test.if(process.platform === 'linux');
const hasIpv6 = await canListen('::1');

/** Lists the descriptors of this process that are connections to a port. */
const descriptorsTo = (port: number): number[] =>
  Array.from({ length: 1_024 }, (_, descriptor) => descriptor).filter((descriptor) =>
    sockets!.peerPort(descriptor, port),
  );

onLinux('shows a connection, counts its bytes and closes it', async () => {
  const request = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
  const client = connect(server.port!, '127.0.0.1');
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.write(request);
  const { byteLength } = await new Promise<Buffer>((resolve) =>
    client.once('data', (bytes: Buffer) => resolve(bytes)),
  );
  const [descriptor, ...others] = descriptorsTo(server.port!);
  expect(others).toEqual([]);
  expect(sockets!.peerAddress(descriptor!)).toBe('127.0.0.1');
  expect(sockets!.peerPort(descriptor!, server.port!)).toBe(client.localPort!);
  expect(sockets!.figures(descriptor!)).toMatchObject({ received: request.length, sent: byteLength });
  sockets!.close(descriptor!);
  await closed;
  expect(descriptorsTo(server.port!)).toEqual([]);
});

onLinux('writes addresses of IPv4 as the runtime does', () => expectAddressOfRuntime('127.0.0.1'));

const onIpv6 = test.if(process.platform === 'linux' && hasIpv6);
onIpv6.each(['::', '::1'])('writes addresses on %s as the runtime does', expectAddressOfRuntime);

onLinux('distinguishes sockets from other descriptors', () => {
  expect(sockets!.peerPort(1_000_000, server.port!)).toBeUndefined();
  expect(sockets!.figures(1_000_000)).toBeUndefined();
});

/** Compares the address of a client of a server on that host, as the kernel and the runtime write it. */
async function expectAddressOfRuntime(hostname: string): Promise<void> {
  let addresses: { kernel: string[]; runtime: string | undefined } | undefined;
  const other = Bun.serve({
    hostname,
    port: 0,
    fetch(request, inside) {
      const kernel = descriptorsTo(inside.port!).map((descriptor) => sockets!.peerAddress(descriptor));
      addresses = { kernel, runtime: inside.requestIP(request)?.address };
      return new Response('well');
    },
  });
  await fetch(`http://${hostname === '::1' ? '[::1]' : '127.0.0.1'}:${other.port}`);
  await other.stop(true);
  expect(addresses).toEqual({ kernel: [expect.any(String)], runtime: addresses?.kernel[0] });
}

/** Reports whether this machine has an address, such as one of IPv6. */
function canListen(hostname: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(0, hostname, () => probe.close(() => resolve(true)));
  });
}
