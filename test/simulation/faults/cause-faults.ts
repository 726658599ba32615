import type { Gateway } from '../gateway/gateway.ts';
import type { Host } from '../kernel/host.ts';
import type { Moment, Simulation } from '../kernel/simulation.ts';
import type { Vendor } from '../vendors/vendor.ts';
import type { FaultPlan, PlannedDeath } from './draw-faults.ts';

type Parts = { simulation: Simulation; gateway: Gateway; vendors: readonly Vendor[]; plan: FaultPlan };

/** The longest pause before a process that has died is started again. */
const MAX_PAUSE_MS = 3_000;

/** Causes the planned faults, and starts the gateway again after each death. */
export class Faults {
  readonly #parts: Parts;
  readonly #deaths: PlannedDeath[];
  readonly #over = Promise.withResolvers<void>();
  #running = Promise.resolve();
  #isOver = false;
  deaths = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#deaths = [...parts.plan.deaths];
  }

  begin(): void {
    const { simulation, gateway, vendors, plan } = this.#parts;
    const between = (from: number, length: number, what: string, set: (isOn: boolean) => void) => {
      simulation.after(from, `${what} begins`, () => this.#isOver || set(true));
      simulation.after(from + length, `${what} ends`, () => set(false));
    };
    for (const { fromMs, forMs, state, deathMs } of plan.disk) {
      if (deathMs !== undefined)
        simulation.after(fromMs + deathMs, 'death in trouble', () => this.#isOver || gateway.kill('power'));
      between(fromMs, forMs, `disk ${state}`, (isOn) => {
        gateway.disk.state = isOn ? state : 'well';
      });
    }
    for (const { fromMs, forMs, vendor } of plan.outages)
      between(fromMs, forMs, 'outage', (isOn) => {
        vendors[vendor]!.isDown = isOn;
      });
    for (const vendor of vendors) vendor.trouble = plan.trouble;
    this.#running = this.#keepRunning();
  }

  /** Causes no more faults, and waits until the gateway runs. */
  async end(): Promise<void> {
    const { gateway, vendors, simulation } = this.#parts;
    this.#isOver = true;
    gateway.disk.state = 'well';
    for (const vendor of vendors) Object.assign(vendor, { trouble: 0, isDown: false });
    simulation.onMoment = undefined;
    this.#over.resolve();
    await this.#running;
  }

  /** Returns when no more faults are caused and the gateway runs. */
  async #keepRunning(): Promise<void> {
    const { simulation, gateway } = this.#parts;
    for (;;) {
      const started = gateway.start();
      if (!this.#isOver) this.#plan(this.#deaths.shift());
      if ((await started) === 'ready') await Promise.race([gateway.died, this.#over.promise]);
      if (this.#isOver && gateway.isReady) return;
      if (gateway.host) await gateway.died; // an orderly stop is under way
      this.deaths++;
      await simulation.sleep(simulation.draws('restarts').skewed(10, MAX_PAUSE_MS), 'restart');
    }
  }

  #plan(death: PlannedDeath | undefined): void {
    const { simulation, gateway } = this.#parts;
    if (!death) return;
    const { host } = gateway;
    const die = () => {
      if (this.#isOver || gateway.host !== host) return;
      if (death.how === 'stop') void gateway.stop();
      else gateway.kill(death.how);
    };
    if ('afterMs' in death.when) {
      simulation.after(death.when.afterMs, 'planned death', die, simulation.outside);
      return;
    }
    const { moment, pass } = death.when;
    let passes = 0;
    simulation.onMoment = (passed: Moment, at: Host) => {
      const isHere = passed === moment && (at === host || at === simulation.outside) && ++passes === pass;
      if (isHere) {
        simulation.note(`passes ${moment} for the ${pass}. time`);
        die();
      }
    };
  }
}
