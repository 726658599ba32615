import { forgetPeak, peakMb, residentMb } from '../../support/process-memory.ts';
import type { TestServer } from '../../support/start-server.ts';

/** Reads the resources of the server's process from the kernel and its metrics. */
export class ServerGauge {
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  residentMb(): number {
    return Math.round(residentMb(this.#server.pid));
  }

  /** Returns the most memory since `forgetPeak()`. */
  peakMb(): number {
    return Math.round(peakMb(this.#server.pid));
  }

  forgetPeak(): void {
    forgetPeak(this.#server.pid);
  }

  /** Counts the open connections of clients, the requests whose answer has not ended, and the queued ones. */
  async inUse(): Promise<{ connections: number; requests: number; queued: number }> {
    const { text } = await this.#server.call('/metrics');
    const sum = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, 'gm'))].reduce(
        (total, [, value]) => total + Number(value),
        0,
      );
    return {
      connections: sum('tollgate_connections'),
      requests: sum('tollgate_in_flight_requests'),
      queued: sum('tollgate_queue_length'),
    };
  }
}
