import { readFileSync, writeFileSync } from 'node:fs';
import type { TestServer } from '../../support/start-server.ts';

const inStatus = (pid: number, name: string): number =>
  Math.round(
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
      1_024,
  );

/** Reads the resources of the server's process from the kernel and its metrics. */
export class ServerGauge {
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  residentMb(): number {
    return inStatus(this.#server.pid, 'VmRSS');
  }

  /** Returns the most memory since `forgetPeak`. */
  peakMb(): number {
    return inStatus(this.#server.pid, 'VmHWM');
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.#server.pid}/clear_refs`, '5');
  }

  /** Open connections of clients, and requests without the end of their answer. */
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
