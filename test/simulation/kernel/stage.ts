import type { Simulation } from './simulation.ts';

/** The running simulation, for the replaced parts of the runtime. A process runs one at a time. */
class Stage {
  #simulation: Simulation | undefined;

  get simulation(): Simulation {
    if (!this.#simulation) throw new Error('no simulation runs');
    return this.#simulation;
  }

  get isEmpty(): boolean {
    return this.#simulation === undefined;
  }

  enter(simulation: Simulation): void {
    this.#simulation = simulation;
  }

  leave(): void {
    this.#simulation = undefined;
  }
}

export const stage = new Stage();
