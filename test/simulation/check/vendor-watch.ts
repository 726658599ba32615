import type { Asked } from '../clients/asked.ts';
import type { Clients } from '../clients/clients.ts';
import { LIMITS, type LimitedAccount, SLOTS } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { NativeBatch, NativeRequest } from '../vendors/native-batch.ts';
import type { VendorCall } from '../vendors/vendor.ts';

/** A moment at which an account had more requests at vendors than it may have. */
export type Excess = { problem: string; at: number; hosts: ReadonlySet<Host> };

/** Sees every request that reaches a vendor, and checks slots and concurrency. */
export class VendorWatch {
  readonly calls: VendorCall[] = [];
  readonly excesses: Excess[] = [];
  /** The batches at vendors with a batch API. */
  readonly batches: NativeBatch[] = [];
  readonly #simulation: Simulation;
  readonly #clients: Clients;

  constructor(simulation: Simulation, clients: Clients) {
    this.#simulation = simulation;
    this.#clients = clients;
  }

  callsOf(marker: string): VendorCall[] {
    return this.calls.filter((call) => call.request.marker === marker);
  }

  /** Finds the batches of vendors that have the request. */
  batchesWith(marker: string): NativeBatch[] {
    return this.batches.filter(({ requests }) => requests.some((one) => one.marker === marker));
  }

  /** Finds the request in each batch of a vendor that has it. */
  requestsOf(marker: string): NativeRequest[] {
    return this.batches.flatMap(({ requests }) => requests.filter((one) => one.marker === marker));
  }

  began(call: VendorCall): void {
    const asked = this.#clients.asked.findLast(({ marker }) => marker === call.request.marker);
    this.#checkSlots(call);
    if (asked) this.#checkConcurrency(asked);
  }

  #checkSlots({ vendor }: VendorCall): void {
    const slots = SLOTS[vendor] ?? Number.POSITIVE_INFINITY;
    const open = this.calls.filter((call) => call.vendor === vendor && call.isOpen());
    if (open.length > slots)
      this.#simulation.fail(`${open.length} calls use the ${slots} slots of ${vendor}: ${markers(open)}`);
  }

  /**
   * Checks the requests under way. A request whose client has left stays under way for a while without
   * counting.
   */
  #checkConcurrency({ account }: Asked): void {
    if (!(account in LIMITS)) return;
    const { concurrent } = LIMITS[account as LimitedAccount];
    const open = this.calls.filter(
      (call) =>
        call.isOpen() &&
        this.#clients.asked.some(
          (one) =>
            one.marker === call.request.marker && one.account === account && one.record.ending !== 'left',
        ),
    );
    const running = new Set(open.map(({ request }) => request.marker)).size;
    if (running <= concurrent) return;
    this.excesses.push({
      problem: `${account} has ${running} concurrent requests of ${concurrent}: ${markers(open)}`,
      at: this.#simulation.now,
      hosts: new Set(open.map(({ host }) => host)),
    });
  }
}

const markers = (calls: readonly VendorCall[]): string =>
  calls.map(({ request }) => request.marker).join(', ');
