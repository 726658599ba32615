import { afterEach, describe, expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { OtlpSender } from './otlp-sender.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { TelemetryMetrics } from './telemetry-metrics.ts';

const stops: (() => unknown)[] = [];
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

/** Makes a sender to a receiver that gives these answers, and the last one from then on. */
function senderTo(answers: readonly (() => Response)[], pausesMs = [1, 1, 1]) {
  let calls = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => answers[Math.min(calls++, answers.length - 1)]!(),
  });
  stops.push(() => server.stop(true));
  const metrics = new TelemetryMetrics();
  const reported: string[] = [];
  const facts: unknown[] = [];
  const target = { url: `http://127.0.0.1:${server.port}/v1/traces`, headers: {}, timeoutMs: 5_000 };
  const report = (event: string, fact: unknown) => {
    reported.push(event);
    facts.push(fact);
  };
  const sender = new OtlpSender({ signal: 'traces', target, metrics, report, pausesMs });
  const lines = () =>
    metrics.all.flatMap((metric) => metric.format().split('\n')).filter((line) => /^toll.*\}/.test(line));
  return { sender, reported, facts, lines, calls: () => calls };
}

const body = new Uint8Array([1]);
const status = (code: number) => () => new Response(null, { status: code });
const EXPORTED = 'tollgate_telemetry_exported_total{signal="traces"}';
const DROPPED = 'tollgate_telemetry_dropped_total{signal="traces"';

test('a failure that may pass is reported once for all repeats', async () => {
  const { sender, reported, lines, calls } = senderTo([status(503), status(429), status(200)]);
  await sender.send(body, 5);
  expect(calls()).toBe(3);
  expect(lines()).toEqual([`${EXPORTED} 5`]);
  expect(reported).toEqual(['telemetry-export-failed', 'telemetry-export-recovered']);
});

test('an export is dropped and counted after the last try', async () => {
  const { sender, reported, lines, calls } = senderTo([status(502)]);
  await sender.send(body, 5);
  await sender.send(body, 2);
  expect(calls()).toBe(8);
  expect(lines()).toEqual([`${DROPPED},reason="unreachable"} 7`]);
  expect(reported).toEqual(['telemetry-export-failed']);
});

test('the log names the receiver without its path, which can have a secret', async () => {
  const { sender, facts } = senderTo([status(404)]);
  await sender.send(body, 1);
  const origin = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(facts).toEqual([{ signal: 'traces', url: origin, problem: expect.stringContaining('404') }]);
});

test.each([400, 401, 404, 413])('status %d is not repeated', async (code) => {
  const { sender, lines, calls } = senderTo([status(code)]);
  await sender.send(body, 1);
  expect(calls()).toBe(1);
  expect(lines()).toEqual([`${DROPPED},reason="refused"} 1`]);
});

describe('closing', () => {
  test('ends a pause and leaves one more try', async () => {
    const { sender, lines, calls } = senderTo([status(503)], [600_000]);
    const sending = sender.send(body, 1);
    await waitFor(() => calls() > 0);
    sender.close();
    await sending;
    expect(calls()).toBeLessThanOrEqual(2);
    expect(lines()).toEqual([`${DROPPED},reason="unreachable"} 1`]);
  });
});

test('spans that the receiver refuses in accepted exports are reported once', async () => {
  const writer = new ProtobufWriter();
  const part = writer.open(1);
  writer.varintField(1, 3);
  writer.stringField(2, 'too old');
  writer.close(part);
  const answer = writer.copy();
  const refusing = () => new Response(answer);
  const { sender, reported, lines } = senderTo([refusing, refusing, status(200)]);
  await sender.send(body, 8);
  expect(lines()).toEqual([`${EXPORTED} 8`, `${DROPPED},reason="refused"} 3`]);
  await sender.send(body, 8);
  expect(reported).toEqual(['telemetry-export-failed']);
  await sender.send(body, 8);
  expect(reported).toEqual(['telemetry-export-failed', 'telemetry-export-recovered']);
});

test('an answer that is no protobuf counts as success', async () => {
  const { sender, lines } = senderTo([() => new Response('{"partialSuccess":{}}')]);
  await sender.send(body, 8);
  expect(lines()).toEqual([`${EXPORTED} 8`]);
});
