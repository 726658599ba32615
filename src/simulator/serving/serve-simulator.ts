import { createSimulator, type Simulator } from './simulator.ts';
import type { SimulatorOptions } from './simulator-state.ts';

export type ServeSimulatorOptions = SimulatorOptions & {
  /** 0 means any free port. */
  port?: number | undefined;
  hostname?: string | undefined;
};

export type ServedSimulator = {
  /** The URL without a trailing slash. */
  url: string;
  requests: Simulator['requests'];
  stop(): Promise<void>;
};

/** Starts the simulator as a server on a separate port. */
export function serveSimulator({
  port = 0,
  hostname = '127.0.0.1',
  ...options
}: ServeSimulatorOptions = {}): ServedSimulator {
  const simulator = createSimulator(options);
  const server = Bun.serve({
    port,
    hostname,
    // Disabled, since the runtime would end a stream that stalls on purpose.
    idleTimeout: 0,
    // Development mode would print every intended connection reset as a crash.
    development: false,
    // Without this, the runtime lets a second server share the port.
    reusePort: false,
    fetch: (request) => simulator.handle(request),
    error: () =>
      Response.json({ error: { message: 'The simulator failed.', type: 'server_error' } }, { status: 500 }),
  });
  const stop = () => server.stop(true);
  return { url: `http://${urlHost(hostname)}:${server.port}`, requests: simulator.requests, stop };
}

const urlHost = (hostname: string): string => (hostname.includes(':') ? `[${hostname}]` : hostname);
