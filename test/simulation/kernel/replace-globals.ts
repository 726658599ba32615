import nodeCrypto from 'node:crypto';
import { SimulatedWorker } from '../modules/simulated-worker.ts';
import { connect } from '../network/connect.ts';
import { SentFile, SentForm, simulatedFetch } from '../network/fetch.ts';
import { PushedStream } from '../network/pushed-stream.ts';
import { SentResponse } from '../network/sent-response.ts';
import { serve } from '../network/serve.ts';
import { fillRandomly, randomUuid } from './random-bytes.ts';
import { stage } from './stage.ts';
import { timers } from './timers.ts';

const RealDate = Date;
const realImmediate = setImmediate;

/** The resident memory that a simulated process reports. */
const RESIDENT_BYTES = 100 * 1024 * 1024;

/** Resolves when all promises that can run have run. */
export const settle = (): Promise<void> => new Promise((resolve) => void realImmediate(resolve));

const wallTime = (): number => Math.floor(stage.simulation.wallTime());

/** The date of the simulated clock. The program never calls `Date()` as a function. */
class SimulatedDate extends RealDate {
  constructor(...values: [] | [number | string | Date] | [number, number, ...number[]]) {
    if (values.length === 0) super(wallTime());
    else super(...(values as [number]));
  }

  static override now(): number {
    return wallTime();
  }
}

function timeoutSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  timers.setTimeout(
    () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')),
    milliseconds,
  );
  return controller.signal;
}

/**
 * Replaces what the runtime takes from outside. The process then runs only simulations, so nothing is
 * restored.
 */
export function replaceGlobals(): void {
  Object.assign(globalThis, timers, {
    Date: SimulatedDate,
    fetch: simulatedFetch,
    File: SentFile,
    FormData: SentForm,
    Response: SentResponse,
    ReadableStream: PushedStream,
    Worker: SimulatedWorker,
  });
  performance.now = () => stage.simulation.now;
  Math.random = () => stage.simulation.draws('Math.random').next();
  Object.assign(crypto, { getRandomValues: fillRandomly, randomUUID: randomUuid });
  // The build of Postgres uses it.
  Object.assign(nodeCrypto, { randomFillSync: fillRandomly });
  AbortSignal.timeout = timeoutSignal;
  Object.assign(process, {
    memoryUsage: Object.assign(
      () => ({ rss: RESIDENT_BYTES, heapUsed: 0, heapTotal: 0, external: 0, arrayBuffers: 0 }),
      {
        rss: () => RESIDENT_BYTES,
      },
    ),
  });
  const { zstdCompressSync, zstdDecompressSync } = Bun;
  Object.assign(Bun, {
    serve,
    connect,
    gc: () => 0,
    sleep: (milliseconds: number | Date) =>
      new Promise<void>((resolve) => timers.setTimeout(() => resolve(), Number(milliseconds))),
    zstdCompress: async (...values: Parameters<typeof zstdCompressSync>) => zstdCompressSync(...values),
    zstdDecompress: async (...values: Parameters<typeof zstdDecompressSync>) => zstdDecompressSync(...values),
  });
}
