import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../support/wait-for.ts';

const MEGABYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
  rmSync(folder, { recursive: true, force: true });
});

async function startRelay(name: string, ...hosts: string[]) {
  const directory = join(folder, name);
  mkdirSync(directory);
  const script = join(import.meta.dir, 'upload-relay.ts');
  const child = Bun.spawn([process.execPath, script, directory, ...hosts], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  stops.push(() => child.kill(9));
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  const url = `http://127.0.0.1:${port}/`;
  const memory = (row: string) =>
    Number(new RegExp(`${row}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) *
    1_024;
  const state = async () =>
    (await (await fetch(url)).json()) as { disk: number; memory: number; maxBooked: number };
  return { child, directory, port, url, memory, state };
}

/** Starts a host that reads a form to its end, and answers with the model's name and the hash of the file. */
function startHost() {
  const seen = { requests: 0 };
  const host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 1_000 * MEGABYTE,
    async fetch(request) {
      seen.requests++;
      const form = await request.formData();
      const file = form.get('file') as File;
      return new Response(`${form.get('model')} ${file.name} ${Bun.hash(await file.arrayBuffer())}`);
    },
  });
  stops.push(() => void host.stop(true));
  return { url: `http://127.0.0.1:${host.port}/`, seen };
}

/** A host that takes this many bytes, and then closes the connection or answers with a status. */
function startFailingHost(afterBytes: number, answer: string) {
  const seen = { bytes: 0 };
  const host = Bun.listen<{ bytes: number }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { bytes: 0 };
      },
      data(socket, bytes) {
        socket.data.bytes += bytes.length;
        seen.bytes = Math.max(seen.bytes, socket.data.bytes);
        if (socket.data.bytes < afterBytes) return;
        if (answer === '') socket.terminate();
        else socket.end(answer);
      },
      error() {},
    },
  });
  stops.push(() => host.stop(true));
  return { url: `http://127.0.0.1:${host.port}/`, seen };
}

const bytesOf = (length: number, seed: number) => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(((at + seed) * 2_654_435_761) >>> 0, at);
  return bytes;
};
const formOf = (bytes: Buffer, name: string) => {
  const form = new FormData();
  form.append('file', new File([bytes], name));
  form.append('model', 'public-name');
  return form;
};

test('sends the whole file to another host after one closed the connection, or answered, in the middle of it', async () => {
  const last = startHost();
  const closing = startFailingHost(200_000, '');
  const refusing = startFailingHost(1, 'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  const relay = await startRelay('failover', closing.url, refusing.url, last.url);
  for (const length of [500_000, 8 * MEGABYTE]) {
    const bytes = bytesOf(length, length);
    const answer = await fetch(relay.url, { method: 'POST', body: formOf(bytes, 'a.mp3') });
    expect(await answer.text()).toBe(`its-name a.mp3 ${Bun.hash(bytes)}`);
  }
  expect(closing.seen.bytes).toBeGreaterThanOrEqual(200_000);
  expect(last.seen.requests).toBe(2);
  expect(await relay.state()).toMatchObject({ disk: 0, memory: 0 });
  expect(readdirSync(relay.directory)).toEqual([]);
}, 30_000);

test('passes 20 uploads of 20 MB at once within the memory for requests', async () => {
  const host = startHost();
  const relay = await startRelay('memory', host.url);
  const first = bytesOf(MEGABYTE, 1);
  await (await fetch(relay.url, { method: 'POST', body: formOf(first, 'first') })).text();
  const before = relay.memory('VmRSS');
  const bytes = bytesOf(20 * MEGABYTE, 7);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const answer = await fetch(relay.url, { method: 'POST', body: formOf(bytes, `${at}`) });
      return answer.text();
    }),
  );
  expect(answers).toEqual(Array.from({ length: 20 }, (_, at) => `its-name ${at} ${Bun.hash(bytes)}`));
  const { maxBooked, ...left } = await relay.state();
  const grown = relay.memory('VmHWM') - before;
  console.log(`grown by ${Math.round(grown / MEGABYTE)} MB, booked ${Math.round(maxBooked / MEGABYTE)} MB`);
  expect(left).toEqual({ disk: 0, memory: 0 });
  expect(grown).toBeLessThan(160 * MEGABYTE); // of 400 MB
}, 60_000);

/** Reports whether the process writes to a file of an upload that has no name any more. */
const hasUnlinkedFile = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('.upload (deleted)');
    } catch {
      return false; // closed meanwhile
    }
  });

test('a kill in the middle of an upload leaves no file', async () => {
  const relay = await startRelay('kill');
  const socket = connect(relay.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 40000000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n',
  );
  socket.write(bytesOf(10 * MEGABYTE, 3));
  await waitFor(() => hasUnlinkedFile(relay.child.pid));
  relay.child.kill(9);
  await relay.child.exited;
  expect(readdirSync(relay.directory)).toEqual([]);
  socket.destroy();
}, 30_000);
