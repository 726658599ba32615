import { join } from 'node:path';
import type { Bench } from '../measure.ts';
import { readProcessUsage } from '../process-usage.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { contentEvents, modelId, requestBodies } from '../workload.ts';
import type { StreamFigures } from './comparison.ts';
import type { StreamOrder } from './stream-client.ts';
import type { StreamSummary } from './summarize-streams.ts';

type StreamRound = { round: number; streams: number; intervalMs: number };

const client = join(import.meta.dir, 'stream-client.ts');

/** Opens streams through a system in a separate process, and measures the system's CPU time. */
export async function measureStreams(
  { children, directory }: Bench,
  system: SystemUnderTest,
  { round, streams, intervalMs }: StreamRound,
): Promise<StreamFigures> {
  const expected = { events: contentEvents, intervalMs };
  const timeoutMs = contentEvents * intervalMs + 10_000;
  const order: StreamOrder = {
    port: Number(new URL(system.url).port),
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json', ...system.headers },
    body: requestBodies.stream.replace(`"model":"${modelId}"`, `"model":"${system.model ?? modelId}"`),
    streams,
    expected,
    timeoutMs,
  };
  const orderFile = join(directory, 'streams.json');
  const logFile = join(directory, 'streams.log');
  await Bun.write(orderFile, JSON.stringify(order));
  await Bun.write(logFile, '');
  const readCpu = () => (system.pid === null ? null : readProcessUsage(system.pid).cpuUs);
  const before = readCpu();
  const child = children.start({ command: [process.execPath, client, orderFile], logFile });
  const overdue = setTimeout(() => child.kill('SIGKILL'), timeoutMs + 10_000);
  await child.exited;
  clearTimeout(overdue);
  const after = readCpu();
  const output = await Bun.file(logFile).text();
  const line = /^RESULT (\{.*\})$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`the client gave no result: ${output.trim().slice(-300)}`);
  const summary: StreamSummary = JSON.parse(line);
  const cpuUsPerStream = before === null || after === null ? null : (after - before) / streams;
  return { system: system.name, round, streams, ...summary, cpuUsPerStream };
}
