import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { bytesOf, type FormFile } from '../../base/forms/form.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { BodyGate } from '../http/body-gate.ts';
import type { Exchange } from '../http/exchange.ts';
import { sampleExchange } from '../http/testing/sample-exchange.ts';
import { UnderWay } from '../http/under-way.ts';
import { createFormReader } from './create-form-reader.ts';
import { UploadSpace } from './upload-space.ts';

const shape: FormShape = {
  fields: { model: 'text', n: 'integer', stream: 'boolean', temperature: 'number' },
  files: { image: 4, 'image[]': 4, mask: 1 },
  required: 'image',
};
const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const sizes = {
  totalBytes: 64 * MEGABYTE,
  largeBytes: 64 * MEGABYTE,
  waitingBytes: 64 * MEGABYTE,
  overdrawnBytes: 64 * MEGABYTE,
};
const gate = new BodyGate({
  budget: new MemoryBudget({ sizes, timeoutMs: 60_000 }),
  timeoutMs: 60_000,
  underWay: new UnderWay(),
});
const reported: unknown[] = [];
const spaceOf = (maxBytes = 256 * MEGABYTE, directory = join(folder, 'files')) =>
  new UploadSpace({ directory, maxBytes: () => maxBytes, onFailure: (error) => reported.push(error) });
afterAll(() => {
  gate.close();
  rmSync(folder, { recursive: true });
});

const snapshot = sampleSnapshot('limits: { max_upload_mb: 4 }');

type Outcome = { body: JsonBody | Refusal; exchange: Exchange };

function serve(space = spaceOf(), look: (outcome: Outcome) => unknown = () => {}) {
  const read = createFormReader({ gate, space, readJson: () => parseBodyAtOnce('{"json":1}') });
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const exchange = sampleExchange({ request, snapshot, accountId: 'a' });
      const body = await read(exchange, shape);
      await look({ body, exchange });
      exchange.booking?.free();
      exchange.upload?.release();
      const headers = body instanceof Refusal ? body.details.headers : undefined;
      const said = body instanceof Refusal ? `${body.code} ${body.param}: ${body.message}` : body.text;
      return new Response(said, headers && { headers });
    },
  });
}

async function send(
  body: Bun.BodyInit,
  { headers = {}, space = spaceOf(), look = (_: Outcome): unknown => undefined } = {},
) {
  const server = serve(space, look);
  try {
    const answer = await fetch(server.url, { method: 'POST', body, headers });
    return await answer.text();
  } finally {
    await server.stop(true);
    expect(space.usedBytes).toBe(0);
    expect(gate.budget.usedBytes).toBe(0);
  }
}

const formOf = (...fields: [string, string | File][]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
};
const file = (bytes: Bun.BlobPart, name = 'a.png') => new File([bytes], name, { type: 'image/png' });
const random = (length: number) => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  return bytes;
};

async function fileIn({ body }: Outcome): Promise<Buffer> {
  const { parts, content: kept } = (body as JsonBody).form!;
  const pieces: Uint8Array[] = [];
  for await (const piece of bytesOf(parts.find((part) => 'filename' in part) as FormFile, kept, 50_000))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

test('reads the fields of a form as typed members, with its files first, last or between them', async () => {
  const fields: [string, string | File][] = [
    ['image', file('abc')],
    ['model', 'm'],
    ['n', '2'],
    ['stream', 'true'],
    ['temperature', '0.5'],
    ['include[]', 'logprobs'],
  ];
  const expected = {
    image: [{ filename: 'a.png', content_type: 'image/png', bytes: 3 }],
    model: 'm',
    n: 2,
    stream: true,
    temperature: 0.5,
    'include[]': ['logprobs'],
  };
  for (let turn = 0; turn < fields.length; turn++) {
    const order = [...fields.slice(turn), ...fields.slice(0, turn)];
    expect(JSON.parse(await send(formOf(...order)))).toEqual(expected);
  }
});

for (const length of [12, 1_000_000, 3_000_000]) {
  test(`keeps a file of ${length} bytes until the exchange ends, without a name on the disk`, async () => {
    const bytes = random(length);
    let kept: Buffer | undefined;
    const directory = join(folder, `of-${length}`);
    let names: string[] = [];
    await send(formOf(['model', 'm'], ['image[]', file(bytes)]), {
      space: spaceOf(256 * MEGABYTE, directory),
      async look(outcome) {
        kept = await fileIn(outcome);
        if (length > MEGABYTE) names = readdirSync(directory);
      },
    });
    expect(kept!.equals(bytes)).toBe(true);
    expect(names).toEqual([]);
  });
}

const refused: [string, FormData, string][] = [
  ['no file', formOf(['model', 'm']), 'image: The form has no file named image.'],
  ['a text for the file', formOf(['image', 'abc']), 'image: The field image must be a file with a name.'],
  [
    'a file for a text',
    formOf(['image', file('x')], ['model', file('m')]),
    'model: The field model takes no file.',
  ],
  [
    'an unknown file',
    formOf(['image', file('x')], ['other', file('m')]),
    'other: The field other takes no file.',
  ],
  ['an empty file', formOf(['image', file('')]), 'image: The file image is empty.'],
  [
    'two masks',
    formOf(['image', file('x')], ['mask', file('x')], ['mask', file('x')]),
    'mask: The form has the field mask more than once.',
  ],
  [
    'two models',
    formOf(['image', file('x')], ['model', 'a'], ['model', 'b']),
    'model: The form has the field model more than once.',
  ],
  [
    'too many files',
    formOf(...Array.from({ length: 5 }, (): [string, File] => ['image[]', file('x')])),
    'image[]: The form has more than 4 files image[].',
  ],
  [
    'both spellings',
    formOf(['image', file('x')], ['image[]', file('x')]),
    'image: The form has the field image more than once.',
  ],
  [
    'too many parts',
    formOf(...Array.from({ length: 129 }, (_, at): [string, string] => [`f${at}`, 'x'])),
    'null: The form has more than 128 parts.',
  ],
  [
    'a long text',
    formOf(['prompt', 'x'.repeat(1_100_000)]),
    'prompt: The texts of the form are longer than 1 MB.',
  ],
  ['a list for one value', formOf(['image', file('x')], ['n[]', '10']), 'n[]: The field n is not a list.'],
  [
    'a member of one value',
    formOf(['image', file('x')], ['model[0]', 'm']),
    'model[0]: The field model is not a list.',
  ],
  [
    'a text among files',
    formOf(['image', file('x')], ['image[1]', 'm']),
    'image[1]: The field image is not a list.',
  ],
  [
    'a name of an object',
    formOf(['constructor', file('x')]),
    'constructor: The field constructor takes no file.',
  ],
];
for (const [title, form, message] of refused) {
  test(`names the field of a form with ${title}`, async () => {
    expect(await send(form)).toBe(`invalid_request ${message}`);
  });
}

test('reads a form that is too large to its end, with and without content-length', async () => {
  const large = formOf(['image', file(random(5 * MEGABYTE))]);
  expect(await send(large)).toStartWith('body_too_large null: The upload is larger than 4 MB.');
  const encoded = new Response(large);
  const headers = { 'content-type': encoded.headers.get('content-type')! };
  expect(await send(encoded.body!, { headers })).toStartWith('body_too_large');
});

test('refuses another content type, a missing boundary and a coding', async () => {
  expect(await send('{}', { headers: { 'content-type': 'application/json' } })).toContain(
    'must be multipart/form-data',
  );
  expect(await send('x', { headers: { 'content-type': 'multipart/form-data' } })).toContain(
    'no valid boundary',
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' };
  expect(await send('x', { headers })).toContain('without a content-encoding');
});

test('measures the sound of the file that the endpoint names, in memory and on the disk', async () => {
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]); // 26 ms of MP3
  Object.assign(shape, { sound: 'mask' });
  for (const frames of [100, 10_000]) {
    const mask = file(Buffer.concat(Array.from({ length: frames }, () => frame)));
    const sound: unknown[] = [];
    await send(formOf(['image', file('abc')], ['mask', mask]), {
      look: ({ body }) => sound.push((body as JsonBody).form!.sound),
    });
    expect(sound).toEqual([{ seconds: expect.closeTo((frames * 1_152) / 44_100, 3), isMeasured: true }]);
  }
  Object.assign(shape, { sound: undefined });
});

test('leaves a body of another type to the reader of JSON, where the endpoint takes both', async () => {
  const headers = { 'content-type': 'application/json' };
  Object.assign(shape, { orJson: true });
  expect(await send('{}', { headers })).toBe('{"json":1}');
  Object.assign(shape, { orJson: undefined });
});

test('reports an upload that the disk does not take to the operator', async () => {
  writeFileSync(join(folder, 'a-file'), '');
  const space = spaceOf(256 * MEGABYTE, join(folder, 'a-file', 'below'));
  reported.length = 0;
  expect(await send(formOf(['image', file(random(2 * MEGABYTE))]), { space })).toStartWith(
    'capacity_unavailable',
  );
  expect(String(reported[0])).toContain('ENOTDIR');
  expect(await send(formOf(['image', file(random(1000))]), { space })).toStartWith('{'); // needs no disk
});

test('bounds the disk space of all uploads and of one account', async () => {
  expect(await send(formOf(['image', file(random(2 * MEGABYTE))]), { space: spaceOf(MEGABYTE) })).toStartWith(
    'capacity_unavailable',
  );
  const space = spaceOf(100);
  expect([space.take('a', 60), space.take('a', 21), space.take('b', 30), space.take('b', 11)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  space.giveBack('a', 60);
  space.giveBack('b', 30);
  expect(space.usedBytes).toBe(0);
});

test('removes the files that a crash has left, at the first upload', async () => {
  const directory = join(folder, 'left');
  await send(formOf(['image', file(random(2 * MEGABYTE))]), { space: spaceOf(256 * MEGABYTE, directory) });
  writeFileSync(join(directory, 'x.upload'), 'left');
  writeFileSync(join(directory, 'other'), 'stays');
  await send(formOf(['image', file(random(2 * MEGABYTE))]), { space: spaceOf(256 * MEGABYTE, directory) });
  expect(readdirSync(directory)).toEqual(['other']);
});

test('an upload keeps its file until it is released', async () => {
  const space = spaceOf();
  const opened = await space.openFile();
  await opened.write(Buffer.from('hello'), 0);
  const reading = opened.read(1, 10);
  opened.release();
  expect(Buffer.from(await reading).toString()).toBe('ello');
  await expect(opened.read(0, 1)).rejects.toThrow('released');
});

test('a client that leaves in the middle of its upload leaves no memory, no file and no disk space', async () => {
  const space = spaceOf();
  const done = Promise.withResolvers<string>();
  const server = serve(space, ({ body }) => done.resolve(body instanceof Refusal ? body.message : 'read'));
  const socket = connect(server.port!, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 4000000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\n',
  );
  socket.write(random(2 * MEGABYTE));
  await waitFor(() => space.usedBytes > 0);
  expect(gate.budget.usedBytes).toBeLessThan(2 * MEGABYTE);
  socket.destroy();
  expect(await done.promise).toContain('closed before the whole body arrived');
  await server.stop(true);
  expect({ space: space.usedBytes, gate: gate.budget.usedBytes }).toEqual({ space: 0, gate: 0 });
});

test('a form that stops arriving holds no more than has arrived until its 408', async () => {
  const space = spaceOf();
  const done = Promise.withResolvers<string>();
  const server = serve(space, ({ body }) => done.resolve(body instanceof Refusal ? body.code : 'read'));
  const socket = connect(server.port!, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 4000000\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\n',
  );
  await Bun.sleep(20);
  expect(gate.budget.usedBytes).toBe(0);
  socket.write(random(100_000));
  await waitFor(() => gate.budget.usedBytes > 0);
  expect(gate.budget.usedBytes).toBeLessThan(300_000);
  gate.sweep(); // sees what has arrived
  gate.sweep(performance.now() + 11_000);
  expect(await done.promise).toBe('request_timeout');
  socket.destroy();
  await server.stop(true);
  expect({ space: space.usedBytes, gate: gate.budget.usedBytes }).toEqual({ space: 0, gate: 0 });
});

test('reads a form whose bytes arrive one by one', async () => {
  const text = new TextDecoder().decode(
    await new Response(formOf(['n', '3'], ['image', file('abc')], ['model', 'm'])).bytes(),
  );
  const boundary = /^--(\S+)/.exec(text)![1];
  const server = serve();
  const socket = connect(server.port!, '127.0.0.1');
  socket.setNoDelay(true);
  const answer = new Promise<string>((resolve) => socket.on('data', (bytes) => resolve(bytes.toString())));
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary="${boundary}"\r\nContent-Length: ${text.length}\r\n\r\n`,
  );
  for (const character of text) {
    socket.write(character);
    await Bun.sleep(0);
  }
  expect(await answer).toEndWith(
    '{"n":3,"image":[{"filename":"a.png","content_type":"image/png","bytes":3}],"model":"m"}',
  );
  socket.destroy();
  await server.stop(true);
});
