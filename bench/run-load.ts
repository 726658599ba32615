import { join } from 'node:path';
import type { ChildProcesses } from './child-processes.ts';

export type Load = {
  method: string;
  url: string;
  headers: Record<string, string>;
  bodyFile: string | null;
  connections: number;
  seconds: number;
};

export type LoadResult = {
  requests: number;
  durationUs: number;
  p50Us: number;
  p99Us: number;
  failures: number;
  badStatuses: number;
};

const script = join(import.meta.dir, 'load.lua');

/** Parses the result line that `load.lua` prints. */
export function parseLoadResult(output: string): LoadResult | null {
  const line = /^RESULT (\{.*\})$/m.exec(output)?.[1];
  return line === undefined ? null : JSON.parse(line);
}

export function formatWrkCommand({ url, headers, connections, seconds }: Load): string[] {
  const headerArguments = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const size = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'];
  return ['wrk', ...size, '-s', script, ...headerArguments, url];
}

/** Runs a closed loop: each connection sends its next request when the last answer is complete. */
export async function runLoad(children: ChildProcesses, load: Load, logFile: string): Promise<LoadResult> {
  const environment = {
    BENCH_METHOD: load.method,
    ...(load.bodyFile === null ? {} : { BENCH_BODY_FILE: load.bodyFile }),
  };
  await Bun.write(logFile, '');
  const wrk = children.start({ command: formatWrkCommand(load), logFile, environment });
  const overdue = setTimeout(() => wrk.kill('SIGKILL'), (load.seconds + 15) * 1000);
  await wrk.exited;
  clearTimeout(overdue);
  const output = await Bun.file(logFile).text();
  const result = parseLoadResult(output);
  if (result === null) throw new Error(`wrk gave no result for ${load.url}: ${output.trim().slice(-300)}`);
  return result;
}
