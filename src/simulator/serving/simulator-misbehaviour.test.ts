import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from './serve-simulator.ts';
import { CHAT_CLIENTS, framesOf, observe, send } from './testing/test-clients.ts';

const simulator = serveSimulator();
afterAll(() => simulator.stop());

/** Reads a stream to its end, and reports whether it ended cleanly. */
async function readAll(response: Response): Promise<{ bytes: Uint8Array; chunks: number; broken: boolean }> {
  const parts: Uint8Array[] = [];
  const result = (broken: boolean) => ({ bytes: Buffer.concat(parts), chunks: parts.length, broken });
  try {
    for await (const part of response.body!) parts.push(part);
    return result(false);
  } catch {
    return result(true);
  }
}

describe.each(CHAT_CLIENTS.map((client) => [client.wire, client] as const))('%s', (_wire, client) => {
  const stream = (settings: string) =>
    send(simulator.url, client, { text: 'say: é yes', model: `${client.wire}!${settings}`, stream: true });
  const normal = () => observe(simulator.url, client, { text: 'say: é yes', stream: true });

  test('answers with the status in the model name [ADM-44]', async () => {
    const response = await stream('status=503,retry-after=2');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(client.errorMessage(await response.json())).toContain('503');
  });

  test('waits before the first byte [ADM-44]', async () => {
    const startedMs = performance.now();
    await stream('delay-ms=60');
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(55);
  });

  /** Reads a stream that is reset. A busy reader can lose all bytes before the reset, so it tries again. */
  const readBroken = async (directives: string) => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const read = await readAll(await stream(directives));
      if (!read.broken || read.bytes.length > 0) return read;
    }
    throw new Error('The simulator sent nothing before it cut the connection.');
  };

  test('closes the connection after N events without a clean end [ADM-44]', async () => {
    const { bytes, broken } = await readBroken('cut-after=3');
    expect(broken).toBe(true);
    expect(framesOf(client, bytes)).toHaveLength(3);
  });

  test('closes the connection within a whole answer [ADM-44]', async () => {
    const response = await send(simulator.url, client, { text: 'hello', model: 'm!cut-after=0' });
    expect((await readAll(response)).broken).toBe(true);
  });

  test('stalls after N events until the client disconnects [ADM-44]', async () => {
    const reader = (await stream('stall-after=2')).body!.getReader();
    const parts: Uint8Array[] = [];
    while (parts.length < 1 || framesOf(client, Buffer.concat(parts)).length < 2) {
      parts.push((await reader.read()).value!);
    }
    const silent = await Promise.race([reader.read().then(() => false), Bun.sleep(80).then(() => true)]);
    expect(silent).toBe(true);
    await reader.cancel();
  });

  test('sends an event that cannot be parsed [ADM-44]', async () => {
    const { bytes, broken } = await readAll(await stream('malformed-after=2'));
    expect(broken).toBe(false);
    expect(() => framesOf(client, bytes)).toThrow();
  });

  test('sends an HTML page under another content type [ADM-44]', async () => {
    const response = await stream('content-type=text/html');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toStartWith('<!doctype html>');
  });

  /**
   * Reads a stream in more pieces than frames.
   * A busy reader gets several writes as one piece, so it may need more than one stream.
   */
  const readInPieces = async (directives: string) => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { bytes, chunks } = await readAll(await stream(directives));
      if (chunks > framesOf(client, bytes).length) return bytes;
    }
    throw new Error('The simulator sent no frame in several pieces.');
  };

  test('sends the same answer byte by byte [ADM-44]', async () => {
    const bytes = await readInPieces('drip-bytes=40,drip-ms=1');
    expect(client.observeStream(framesOf(client, bytes))).toEqual(await normal());
  });

  test('sends one event every N ms [ADM-44]', async () => {
    const startedMs = performance.now();
    const { bytes } = await readAll(await stream('drip-ms=4'));
    const dueMs = framesOf(client, bytes).length * 4;
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(dueMs * 0.9);
  });

  test('splits its frames inside a character [ADM-44]', async () => {
    const bytes = await readInPieces('split-utf8=true');
    expect(client.observeStream(framesOf(client, bytes))).toEqual(await normal());
  });

  test('omits usage [ADM-44]', async () => {
    for (const streamed of [true, false]) {
      const seen = await observe(simulator.url, client, {
        text: 'hi',
        model: 'm!usage=none',
        stream: streamed,
      });
      expect(seen.usage).toBeUndefined();
    }
  });

  test.each([
    ['error-after=2', 2],
    ['first-event-error=true', 0],
  ])("fails inside the stream with the vendor's error: %s [ADM-44]", async (settings, before) => {
    const response = await stream(`${settings},error-status=503`);
    expect(response.status).toBe(200);
    const frames = framesOf(client, (await readAll(response)).bytes);
    expect(JSON.stringify(frames[before]!.body)).toContain('set to fail with status 503');
    expect(frames.length).toBeLessThanOrEqual(before + 2);
    const whole = framesOf(client, (await readAll(await stream('tokens-per-second=100000'))).bytes);
    expect(client.ending(frames)).not.toEqual(client.ending(whole));
  });

  test('calls a tool without an order [ADM-44]', async () => {
    const tools = [{ name: 'get_weather', schema: { type: 'object', properties: {} } }];
    const asked = { text: 'What is the weather in Rome?', tools };
    const seen = await observe(simulator.url, client, { ...asked, model: 'm!call-tools=true' });
    expect(seen.calls.map(({ name }) => name)).toEqual(['get_weather']);
    expect((await observe(simulator.url, client, asked)).calls).toEqual([]);
    const forbidden = { ...asked, choice: 'none', model: 'm!call-tools=true' };
    if (client.wire !== 'bedrock-converse')
      expect((await observe(simulator.url, client, forbidden)).calls).toEqual([]);
  });

  test('answers under another model name [ADM-44]', async () => {
    const response = await send(simulator.url, client, { text: 'hi', model: 'm!echo-model=other' });
    const text = await response.text();
    if (client.wire !== 'bedrock-converse') expect(text).toContain('"other"');
    expect(text).not.toContain('echo-model');
  });

  test('fails the first N requests, or every Nth one [ADM-44]', async () => {
    const statuses = async (settings: string) => {
      const found: number[] = [];
      for (let at = 0; at < 4; at++) found.push((await stream(settings)).status);
      return found;
    };
    expect(await statuses('fail-times=2')).toEqual([503, 503, 200, 200]);
    expect(await statuses('fail-times=1,status=429')).toEqual([429, 200, 200, 200]);
    expect(await statuses('every=2,status=500')).toEqual([200, 500, 200, 500]);
    expect(await statuses('every=2')).toEqual([200, 503, 200, 503]);
    expect(await statuses('fail-times=1,every=2')).toEqual([200, 503, 200, 200]);
    expect(await statuses('fail-times=1,retry-after=5')).toEqual([503, 200, 200, 200]);
  });

  test.each(['bogus=1', 'status=999', 'constructor=1'])('names an invalid setting: %s', async (settings) => {
    const response = await stream(settings);
    expect(response.status).toBe(400);
    expect(client.errorMessage(await response.json())).toContain(settings.split('=')[0]!);
  });
});
