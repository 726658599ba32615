import type { Simulation } from '../kernel/simulation.ts';

/** The servers of each simulation, by port. */
export class Ports<Server> {
  readonly #serversOf = new WeakMap<Simulation, Map<number, Server>>();

  /** Makes a server reachable at a port. It replaces the one before. */
  listen(simulation: Simulation, port: number, server: Server): void {
    const servers = this.#serversOf.get(simulation) ?? new Map<number, Server>();
    this.#serversOf.set(simulation, servers.set(port, server));
  }

  find(simulation: Simulation, port: number): Server | undefined {
    return this.#serversOf.get(simulation)?.get(port);
  }
}
