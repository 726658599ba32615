import type { DatabaseServer } from '../database/database-server.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Host } from '../kernel/host.ts';
import type { Moment, Simulation } from '../kernel/simulation.ts';
import type { Vendor, VendorCall } from '../vendors/vendor.ts';
import type { DatabasePlan, DiskMoment, FaultPlan, PlannedCrash } from './fault-plan.ts';

type Parts = {
  simulation: Simulation;
  nodes: readonly Gateway[];
  database: DatabaseServer | undefined;
  vendors: readonly Vendor[];
  plan: FaultPlan;
};

/** The longest pause before a process that has died is started again. */
const MAX_PAUSE_MS = 3_000;

/** An answer that takes longer has a hold in the store. */
const LONG_MS = 1_000;
/** The factor of the vendors' bad answers with which most answers fail. */
const FAILING = 15;

/** Causes the planned faults, and starts the processes again after each crash. */
export class Faults {
  readonly #parts: Parts;
  readonly #over = Promise.withResolvers<void>();
  /** The faults that wait for a moment, by process. */
  readonly #watches = new Map<Gateway, (passed: Moment, at: Host) => void>();
  #running: Promise<unknown> = Promise.resolve();
  #isOver = false;
  readonly #passes: Record<DiskMoment, number> = { end: 0, break: 0, recording: 0, results: 0 };
  #rareMoments = 0;
  crashes = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  begin(): void {
    const { simulation, nodes, vendors, plan } = this.#parts;
    for (const { fromMs, forMs, state, crashAfterMs, vendorsFail, node } of plan.disk) {
      const gateway = nodes[node]!;
      if (crashAfterMs !== undefined)
        simulation.after(
          fromMs + crashAfterMs,
          'crash in trouble',
          () => this.#isOver || gateway.kill('power'),
        );
      this.#between(fromMs, forMs, `disk ${state}`, (isOn) => {
        gateway.disk.state = isOn ? state : 'well';
        for (const vendor of vendors) vendor.trouble = isOn && vendorsFail ? FAILING : plan.trouble;
      });
    }
    for (const { fromMs, forMs, vendor } of plan.outages)
      this.#between(fromMs, forMs, 'outage', (isOn) => {
        vendors[vendor]!.isDown = isOn;
      });
    for (const vendor of vendors) vendor.trouble = plan.trouble;
    if (plan.database) this.#troubleDatabase(plan.database);
    simulation.onMoment = (passed, at) => {
      if (passed === 'answer kept') this.#answerRecorded(at);
      this.#dieRarely(passed, at);
      for (const watch of [...this.#watches.values()]) watch(passed, at);
    };
    this.#running = Promise.all(nodes.map((node, index) => this.#keepRunning(node, index)));
  }

  /** Causes the faults that follow the end of a vendor's answer. */
  answerEnded({ isWhole, at }: VendorCall): void {
    if (isWhole) this.#failDisk('end');
    else if (this.#parts.simulation.now >= at + LONG_MS) this.#failDisk('break');
  }

  #dieRarely(passed: Moment, at: Host): void {
    const { simulation, nodes, plan } = this.#parts;
    const crash = plan.rareCrash;
    if (passed !== crash?.moment || this.#isOver) return;
    const node = nodes[crash.node]!;
    const { host } = node;
    if ((at !== host && at !== simulation.outside) || ++this.#rareMoments !== crash.pass) return;
    simulation.note(`passes ${passed} for the ${crash.pass}. time`);
    const die = () => this.#isOver || node.host !== host || node.kill(crash.how);
    if (crash.afterMs === 0) die();
    else simulation.after(crash.afterMs, 'rare crash', die, simulation.outside);
  }

  /** Causes the faults that follow the reading of a batch's results. */
  resultsRead(): void {
    this.#failDisk('results');
  }

  /** Causes the faults that follow the recording of an answer for repetitions. */
  #answerRecorded(at: Host): void {
    const { nodes, plan } = this.#parts;
    const { node = -1 } = plan.diskAt.recording ?? {};
    if (nodes[node]?.host === at) this.#failDisk('recording');
  }

  /** Passes a moment, and fails the disk if the plan has trouble at this pass. */
  #failDisk(moment: DiskMoment): void {
    const { simulation, nodes, plan } = this.#parts;
    const trouble = plan.diskAt[moment];
    if (!trouble || this.#isOver || ++this.#passes[moment] !== trouble.pass) return;
    const { node, state, forMs } = trouble;
    const { disk } = nodes[node]!;
    simulation.note(`disk ${state}`);
    disk.state = state;
    simulation.after(
      forMs,
      'disk well',
      () => {
        disk.state = 'well';
      },
      simulation.outside,
    );
  }

  /** Ends all faults, and waits until all processes run. */
  async end(): Promise<void> {
    const { nodes, database, vendors, simulation } = this.#parts;
    this.#isOver = true;
    for (const { disk } of nodes) disk.state = 'well';
    for (const vendor of vendors) Object.assign(vendor, { trouble: 0, isDown: false });
    if (database) database.trouble = 0;
    database?.join();
    simulation.onMoment = undefined;
    this.#over.resolve();
    await this.#running;
  }

  #between(from: number, length: number, what: string, set: (isOn: boolean) => void): void {
    const { simulation } = this.#parts;
    simulation.after(from, `${what} begins`, () => this.#isOver || set(true));
    simulation.after(from + length, `${what} ends`, () => this.#isOver || set(false));
  }

  #troubleDatabase({ trouble, restarts, cuts }: DatabasePlan): void {
    const { simulation } = this.#parts;
    const database = this.#parts.database!;
    database.trouble = trouble;
    for (const { afterMs, downMs, how } of restarts)
      simulation.after(
        afterMs,
        `${how} of the database`,
        () => this.#isOver || database.restart(downMs, how),
      );
    for (const { fromMs, forMs, node } of cuts)
      this.#between(fromMs, forMs, `cut of node ${node + 1}`, (isOn) =>
        isOn ? database.cutOff(`node${node + 1}`) : database.join(),
      );
  }

  /** Starts a process again after each crash, until the faults are over and the process runs. */
  async #keepRunning(gateway: Gateway, index: number): Promise<void> {
    const { simulation, plan } = this.#parts;
    const crashes = [...(plan.crashes[index] ?? [])];
    for (;;) {
      const started = gateway.start();
      if (!this.#isOver) this.#plan(gateway, crashes.shift());
      if ((await started) === 'ready') await Promise.race([gateway.died, this.#over.promise]);
      if (this.#isOver && gateway.isReady) return;
      if (gateway.host) await gateway.died; // an orderly stop is under way
      this.crashes++;
      if (plan.lostNode === index) await this.#over.promise;
      await simulation.sleep(simulation.draws('restarts').skewed(10, MAX_PAUSE_MS), 'restart');
    }
  }

  #plan(gateway: Gateway, crash: PlannedCrash | undefined): void {
    const { simulation } = this.#parts;
    this.#watches.delete(gateway);
    if (!crash) return;
    const { host } = gateway;
    const die = () => {
      if (this.#isOver || gateway.host !== host) return;
      if (crash.how === 'stop') void gateway.stop();
      else gateway.kill(crash.how);
    };
    if ('afterMs' in crash.when) {
      simulation.after(crash.when.afterMs, 'planned crash', die, simulation.outside);
      return;
    }
    const { moment, pass } = crash.when;
    let passes = 0;
    this.#watches.set(gateway, (passed, at) => {
      const isHere = passed === moment && (at === host || at === simulation.outside) && ++passes === pass;
      if (isHere) {
        simulation.note(`passes ${moment} for the ${pass}. time`);
        die();
      }
    });
  }
}
