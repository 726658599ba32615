import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authority, goodHost, otherHost } from './testing/certificates.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-tls-'));
const trusted = join(directory, 'authority.pem');
await Bun.write(trusted, authority);
afterAll(() => rmSync(directory, { recursive: true }));

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';

function startTlsHost(certificate: typeof goodHost) {
  const seen = { names: [] as unknown[], received: '' };
  const server = Bun.listen<undefined>({
    hostname: '127.0.0.1',
    port: 0,
    tls: certificate,
    socket: {
      handshake: (socket) => void seen.names.push(socket.getServername()),
      data(socket, bytes) {
        seen.received += bytes.toString();
        socket.write(answer);
      },
    },
  });
  return { seen, port: server.port, [Symbol.dispose]: () => server.stop(true) };
}

/** The runtime reads trusted authorities and proxies when a process starts. */
async function sendOnce(url: string, environment: Record<string, string> = {}): Promise<string> {
  const { HTTP_PROXY, http_proxy, ...env } = process.env;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'testing', 'send-once.ts'), url], {
    env: { ...env, ...environment },
    stdout: 'pipe',
  });
  return (await new Response(child.stdout).text()).trim();
}

const trusting = { NODE_EXTRA_CA_CERTS: trusted };

test('sends a request to a host with a trusted certificate for its name', async () => {
  using host = startTlsHost(goodHost);
  expect(await sendOnce(`https://localhost:${host.port}/`, trusting)).toBe('200 hello');
  expect(await sendOnce(`https://127.0.0.1:${host.port}/`, trusting)).toBe('200 hello');
  expect(host.seen.names[0]).toBe('localhost');
  expect(host.seen.names[1] || null).toBeNull();
});

test.each([
  ['of an untrusted authority', goodHost, {}],
  ['for another name', otherHost, trusting],
])('sends nothing to a host with a certificate %s', async (_, certificate, environment) => {
  using host = startTlsHost(certificate);
  for (const name of ['localhost', '127.0.0.1'])
    expect(await sendOnce(`https://${name}:${host.port}/`, environment)).toStartWith('failed ');
  expect(host.seen.received).toBe('');
});

test('uses the proxy from the environment, except for hosts that are named as exceptions', async () => {
  using proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => new Response(`proxy ${request.method} ${request.url} ${await request.text()}`),
  });
  const environment = { http_proxy: `http://127.0.0.1:${proxy.port}` };
  expect(await sendOnce('http://host.example/x', environment)).toBe(
    '200 proxy POST http://host.example/x {}',
  );
  using host = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('host') });
  const excepted = { ...environment, no_proxy: '127.0.0.1' };
  expect(await sendOnce(`http://127.0.0.1:${host.port}/x`, excepted)).toBe('200 host');
});
