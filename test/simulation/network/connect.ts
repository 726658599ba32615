import type { Simulation } from '../kernel/simulation.ts';
import { stage } from '../kernel/stage.ts';
import { Ports } from './ports.ts';
import { type SocketHandlers, UpstreamSocket } from './upstream-socket.ts';

type ConnectOptions = { hostname: string; port: number; data: unknown; socket: SocketHandlers };

/** A simulated server at the other end of upstream connections. */
export type Listener = {
  /** Takes a connection, unless it refuses or never answers it. */
  accept(socket: UpstreamSocket): 'accepted' | 'refused' | 'silent';
};

const listeners = new Ports<Listener>();

/** Makes a simulated upstream reachable at a port. */
export function listenAt(simulation: Simulation, port: number, listener: Listener): void {
  listeners.listen(simulation, port, listener);
}

/** Connects the process whose task runs. */
export function connect(options: ConnectOptions): Promise<UpstreamSocket> {
  const { simulation } = stage;
  const listener = listeners.find(simulation, options.port);
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamSocket>();
  const refuse = () =>
    reject(Object.assign(new Error('Failed to connect'), { code: 'ECONNREFUSED', name: 'Error' }));
  const socket = new UpstreamSocket(simulation, options);
  simulation.after(simulation.draws('network').skewed(0.05, 20), `connect ${options.port}`, () => {
    const taken = listener?.accept(socket) ?? 'refused';
    if (taken === 'refused') return refuse();
    if (taken === 'silent') return;
    resolve(socket);
    options.socket.open?.(socket);
  });
  return promise;
}
