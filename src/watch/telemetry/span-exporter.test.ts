import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { RequestTrace } from '../../base/tracing/request-trace.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import { SpanExporter } from './span-exporter.ts';
import { TelemetryMetrics } from './telemetry-metrics.ts';

const request = () => ({
  trace: new RequestTrace(undefined, () => true),
  requestId: 'req_1',
  method: 'POST',
  path: '/v1/chat/completions',
  route: '/v1/chat/completions',
  notes: Object.assign(new ExchangeNotes(), { status: 200, model: 'grün' }),
  startedAtMs: 1,
  endedAtMs: 2,
});

function exporterTo(send: (body: Uint8Array, items: number) => Promise<void>, batchDelayMs = 600_000) {
  const metrics = new TelemetryMetrics();
  const settings = { genAiNames: 'both' as const, resource: {}, batchDelayMs };
  const exporter = new SpanExporter({ settings, sender: { send }, metrics });
  const text = () => metrics.all.map((metric) => metric.format()).join('');
  return { exporter, text };
}

test('a receiver that is away fills the queue, beyond which requests are counted as dropped', async () => {
  const { promise: away, resolve: comesBack } = Promise.withResolvers<void>();
  const sent: number[] = [];
  const { exporter, text } = exporterTo(async (_, items) => {
    await away;
    sent.push(items);
  });
  const one = request();
  for (let added = 0; added < 256; added++) exporter.add(one);
  await Bun.sleep(0); // the first batch leaves the queue
  await waitFor(() => text().includes('queue_length 0'));
  for (let added = 0; added < 8_200; added++) exporter.add(one);
  expect(text()).toContain('tollgate_telemetry_queue_length 8192\n');
  expect(text()).toContain('dropped_total{signal="traces",reason="queue_full"} 8\n');
  comesBack();
  await exporter.flush();
  expect(sent.reduce((sum, items) => sum + items)).toBe(8_448);
  expect(Math.max(...sent)).toBe(256);
});

test('a request that arrives as an export ends is exported after the delay', async () => {
  for (let ticks = 0; ticks < 8; ticks++) {
    let sent = 0;
    const { exporter } = exporterTo(async (_, items) => {
      sent += items;
      if (sent > 1) return;
      void Array.from({ length: ticks })
        .reduce<Promise<void>>((earlier) => earlier.then(() => {}), Promise.resolve())
        .then(() => exporter.add(request()));
    }, 1);
    exporter.add(request());
    await waitFor(() => sent === 2);
  }
});

test('without requests nothing is sent', async () => {
  let calls = 0;
  const { exporter } = exporterTo(async () => void calls++);
  await exporter.flush();
  expect(calls).toBe(0);
});
