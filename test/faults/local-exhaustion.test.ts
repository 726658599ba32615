import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-local-'));
const preload = join(directory, 'preload.ts');
const flag = join(directory, 'no-buffers');
/** While the flag is set, sockets get no buffers, with the error of `connect(2)`. */
writeFileSync(
  preload,
  `import { existsSync } from 'node:fs';
const connect = Bun.connect;
const fetchOf = globalThis.fetch;
const fails = () => Promise.reject(Object.assign(new Error('Failed to connect'), { code: 'ENOBUFS' }));
Bun.connect = (options) => (existsSync(${JSON.stringify(flag)}) ? fails() : connect(options));
globalThis.fetch = (...asked) => (existsSync(${JSON.stringify(flag)}) ? fails() : fetchOf(...asked));
`,
);

const upstream = startRecordingUpstream();
/** It is there whenever it is asked. */
const there = Bun.serve({ port: 0, fetch: () => Response.json({}) });
const server = await startServer({
  preload,
  config: {
    simulator: { mode: 'off' },
    providers: [
      { id: 'only', wire: 'openai-chat', base_url: upstream.url },
      {
        id: 'probed',
        wire: 'openai-chat',
        base_url: there.url.href,
        probe: { interval_s: 1, path: '/models' },
      },
    ],
    catalog: {
      default: false,
      models: [sampleModel('asked', { routes: [{ provider: 'only', model: 'asked' }] })],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await there.stop(true);
  rmSync(directory, { recursive: true });
});

test('a shortage on this machine is a 503 with a wait and not a failure of the provider', async () => {
  const { key } = await server.createKey('pro');
  const provider = async (id: string) => (await server.admin('GET', `/providers/${id}`)).body;
  await waitFor(async () => (await provider('probed')).last_probe?.ok === true);
  upstream.answer('asked', answerWell);
  writeFileSync(flag, '');
  for (let count = 0; count < 40; count++) {
    const refused = await server.chat(key, 'asked', { stream: count % 2 === 0 });
    expect({ status: refused.status, code: refused.body.error.code }).toEqual({
      status: 503,
      code: 'capacity_unavailable',
    });
    expect(refused.headers.get('retry-after')).toBe('1');
  }
  const probed = (await provider('probed')).last_probe;
  await Bun.sleep(2_500); // probes cannot be sent either
  expect(await provider('only')).toMatchObject({ health: 'up', errors_total: 0, last_error_at: null });
  const { targets } = await provider('only');
  expect(targets.map(({ circuit }: { circuit: string }) => circuit)).toEqual(['closed']);
  expect((await provider('probed')).last_probe).toEqual(probed); // not one more
  expect(server.log().split('"event":"local-resource-exhausted"').length - 1).toBe(1);
  expect(server.log()).not.toContain('"stack"');
  const { text } = await server.call('/metrics');
  const counted = Number(/^tollgate_local_exhaustion_total\{resource="buffers"\} (\d+)$/m.exec(text)?.[1]);
  expect(counted).toBeGreaterThanOrEqual(40);
  rmSync(flag);
  expect((await server.chat(key, 'asked')).status).toBe(200);
  await waitFor(() => server.log().includes('"event":"local-resource-back"'), 30_000);
});

/** True if this process may create a network with a loopback interface and few ports. */
const ownNetwork = ['unshare', '-rn', 'sh', '-c'];
const FEW_PORTS = 'ip link set lo up && echo "40000 40019" > /proc/sys/net/ipv4/ip_local_port_range';
const hasOwnNetwork =
  Bun.which('unshare') !== null &&
  Bun.spawnSync([...ownNetwork, FEW_PORTS], { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0;

test.if(hasOwnNetwork)('recognizes exhausted local ports', async () => {
  const script = join(directory, 'ports.ts');
  writeFileSync(script, portsScript(join(import.meta.dir, '..', '..', 'src')));
  const child = Bun.spawn([...ownNetwork, `${FEW_PORTS} && exec "${process.execPath}" "${script}"`], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  expect(await child.stdout.text()).toBe('none, then ports\n');
  expect(await child.stderr.text()).toBe('');
});

const portsScript = (src: string): string => `
import { LocallyStarved, LocalResources } from '${src}/upstream/http-client/local-resources.ts';

const resources = new LocalResources({ descriptorsAreGone: () => false, onChange() {} });
const lacked = (error) => {
  const explained = resources.explain(error);
  return explained instanceof LocallyStarved ? explained.resource : 'none';
};
const host = Bun.listen({ hostname: '127.0.0.1', port: 39999, socket: { data() {} } });
const open = () => Bun.connect({ hostname: '127.0.0.1', port: host.port, socket: { data() {} } });
// A machine with free ports but without IPv6 reports the same error for such an address.
const before = lacked(Object.assign(new Error('no IPv6'), { code: 'EADDRNOTAVAIL' }));
const sockets = [];
let failure;
while (!failure) await open().then((socket) => sockets.push(socket), (error) => { failure = error; });
console.log(before + ', then ' + lacked(failure));
process.exit(0);
`;
