import { createSimulator, type Simulator } from './simulator.ts';
import type { SimulatorOptions } from './simulator-state.ts';

export type ServeSimulatorOptions = SimulatorOptions & {
  /** 0 takes a free port. */
  port?: number | undefined;
  hostname?: string | undefined;
};

export type ServedSimulator = {
  /** Without a slash at its end. */
  url: string;
  requests: Simulator['requests'];
  stop(): Promise<void>;
};

/** The simulator as an upstream server on a port of its own. */
export function serveSimulator({
  port = 0,
  hostname = '127.0.0.1',
  ...options
}: ServeSimulatorOptions = {}): ServedSimulator {
  const simulator = createSimulator(options);
  const server = Bun.serve({
    port,
    hostname,
    // A stalled stream is silent on purpose; the runtime would end it.
    idleTimeout: 0,
    // In development mode every connection that is cut on purpose would be printed as a crash.
    development: false,
    // Outside development mode the runtime would let a second server share the port.
    reusePort: false,
    fetch: (request) => simulator.handle(request),
    error: () =>
      Response.json({ error: { message: 'The simulator failed.', type: 'server_error' } }, { status: 500 }),
  });
  const stop = () => server.stop(true);
  return { url: `http://${urlHost(hostname)}:${server.port}`, requests: simulator.requests, stop };
}

const urlHost = (hostname: string): string => (hostname.includes(':') ? `[${hostname}]` : hostname);
