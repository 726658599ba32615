import { type Asked, requestIdOf } from '../clients/asked.ts';
import type { Clients } from '../clients/clients.ts';
import { accountSpecs } from '../gateway/accounts.ts';
import { LIMITS, NARROW_SLOTS } from '../gateway/configuration.ts';
import type { StoreKind } from '../gateway/store-kind.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { VendorCall } from '../vendors/vendor.ts';

/**
 * A paid request that waited this long is in the queue, and a call that began in the meantime was on its way.
 */
const CERTAINLY_QUEUED_MS = { sqlite: 500, postgres: 6_000 };
/** Calls that begin within this time may have begun together. */
const SAME_TIME_MS = 150;

/** Sees every request that reaches a vendor, and checks slots, concurrency and the order of the queue. */
export class VendorWatch {
  readonly calls: VendorCall[] = [];
  readonly #simulation: Simulation;
  readonly #clients: Clients;

  readonly #store: StoreKind;

  constructor(simulation: Simulation, clients: Clients, store: StoreKind) {
    this.#store = store;
    this.#simulation = simulation;
    this.#clients = clients;
  }

  callsOf(marker: string): VendorCall[] {
    return this.calls.filter((call) => call.request.marker === marker);
  }

  began(call: VendorCall, hasBeenDown: boolean): void {
    const asked = this.#clients.asked.findLast(({ marker }) => marker === call.request.marker);
    if (call.vendor === 'narrow') this.#checkSlots();
    if (!asked) return;
    this.#checkConcurrency(asked);
    // A further attempt of a request keeps its slot.
    const isFirst = this.callsOf(call.request.marker).length === 1;
    if (call.vendor === 'narrow' && !hasBeenDown && isFirst && !accountSpecs[asked.account].isPaid)
      this.#checkOrder(asked);
  }

  #checkSlots(): void {
    const open = this.calls.filter((call) => call.vendor === 'narrow' && call.isOpen());
    if (open.length > NARROW_SLOTS)
      this.#simulation.fail(
        `${open.length} calls use the ${NARROW_SLOTS} slots of a provider: ${markers(open)}`,
      );
  }

  /** A request whose client has left is under way for a while and no longer counts. */
  #checkConcurrency({ account }: Asked): void {
    if (account !== 'free' && account !== 'launch') return;
    const open = this.calls.filter(
      (call) =>
        call.isOpen() &&
        this.#clients.asked.some(
          (one) =>
            one.marker === call.request.marker && one.account === account && one.record.ending !== 'left',
        ),
    );
    const running = new Set(open.map(({ request }) => request.marker)).size;
    if (running > LIMITS[account].concurrent)
      this.#simulation.fail(
        `${account} has ${running} concurrent requests of ${LIMITS[account].concurrent}: ${markers(open)}`,
      );
  }

  /** While a paid request waits for a slot, no Free request gets one. Both can get one at the same time. */
  #checkOrder(served: Asked): void {
    const { host } = served.record;
    const before = this.#simulation.now - CERTAINLY_QUEUED_MS[this.#store];
    const isWaiting = ({ marker, record }: Asked) =>
      record.host === host &&
      record.status === undefined &&
      record.ending === undefined &&
      this.callsOf(marker).length === 0;
    const waiting = this.#clients.asked.filter(
      (one) =>
        one.model === 'narrow' &&
        accountSpecs[one.account].isPaid &&
        one.idempotencyKey === undefined &&
        one.record.startedAt < before &&
        isWaiting(one),
    );
    if (waiting.length === 0) return;
    const look = () => {
      for (const one of waiting)
        if (host?.isAlive && isWaiting(one))
          this.#simulation.fail(
            `the Free request ${served.marker} (${requestIdOf(served)}) was served before the paid ${one.marker}`,
          );
    };
    this.#simulation.after(SAME_TIME_MS, 'look at the queue', look, this.#simulation.outside);
  }
}

const markers = (calls: readonly VendorCall[]): string =>
  calls.map(({ request }) => request.marker).join(', ');
