import { type Asked, requestIdOf } from '../clients/asked.ts';
import type { Clients } from '../clients/clients.ts';
import { accountSpecs } from '../gateway/accounts.ts';
import { LIMITS, type LimitedAccount, type ModelName, QUEUED, SLOTS } from '../gateway/configuration.ts';
import type { StoreKind } from '../gateway/store-kind.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { NativeBatch, NativeRequest } from '../vendors/native-batch.ts';
import type { VendorCall } from '../vendors/vendor.ts';

/** A request that waited this long is in the queue, and a call that began in the meantime was on its way. */
const CERTAINLY_QUEUED_MS = { sqlite: 500, postgres: 6_000 };
/** Calls that begin within this time may have begun together. */
const SAME_TIME_MS = 150;

/** Sees every request that reaches a vendor, and checks slots, concurrency and the order of the queue. */
export class VendorWatch {
  readonly calls: VendorCall[] = [];
  /** The batches at vendors with a batch API. */
  readonly batches: NativeBatch[] = [];
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

  /** The request in each batch of a vendor that has it. */
  requestsOf(marker: string): NativeRequest[] {
    return this.batches.flatMap(({ requests }) => requests.filter((one) => one.marker === marker));
  }

  /** `isSteady`: no vendor with slots was away. */
  began(call: VendorCall, isSteady: boolean): void {
    const asked = this.#clients.asked.findLast(({ marker }) => marker === call.request.marker);
    this.#checkSlots(call);
    if (!asked) return;
    this.#checkConcurrency(asked);
    // A further attempt of a request keeps its slot.
    const isFirst = this.callsOf(call.request.marker).length === 1;
    if (isSteady && isFirst && isQueued(asked.model)) this.#checkOrder(asked);
  }

  #checkSlots({ vendor }: VendorCall): void {
    const slots = SLOTS[vendor] ?? Number.POSITIVE_INFINITY;
    const open = this.calls.filter((call) => call.vendor === vendor && call.isOpen());
    if (open.length > slots)
      this.#simulation.fail(`${open.length} calls use the ${slots} slots of ${vendor}: ${markers(open)}`);
  }

  /**
   * Checks the requests under way. A request whose client has left is under way for a while and no longer
   * counts.
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
    if (running > concurrent)
      this.#simulation.fail(
        `${account} has ${running} concurrent requests of ${concurrent}: ${markers(open)}`,
      );
  }

  /**
   * While a paid request waits for a slot, no Free request gets one, and none that its account made later.
   * Both can get one at once.
   */
  #checkOrder(served: Asked): void {
    const { host, startedAt } = served.record;
    const certainMs = CERTAINLY_QUEUED_MS[this.#store];
    const before = this.#simulation.now - certainMs;
    const isWaiting = ({ marker, record }: Asked) =>
      record.host === host &&
      record.status === undefined &&
      record.ending === undefined &&
      this.callsOf(marker).length === 0;
    const goesFirst = ({ account, record }: Asked) =>
      account === served.account
        ? record.startedAt < startedAt - certainMs
        : accountSpecs[account].isPaid && !accountSpecs[served.account].isPaid;
    const waiting = this.#clients.asked.filter(
      (one) =>
        one.model === served.model &&
        one.idempotencyKey === undefined &&
        one.record.startedAt < before &&
        goesFirst(one) &&
        isWaiting(one),
    );
    if (waiting.length === 0) return;
    const look = () => {
      for (const one of waiting)
        if (host?.isAlive && isWaiting(one))
          this.#simulation.fail(
            `${served.marker} (${requestIdOf(served)}) of ${served.account} was served before ${one.marker} of ${one.account}`,
          );
    };
    this.#simulation.after(SAME_TIME_MS, 'look at the queue', look, this.#simulation.outside);
  }
}

const isQueued = (model: ModelName): boolean => QUEUED.some((one) => one === model);

const markers = (calls: readonly VendorCall[]): string =>
  calls.map(({ request }) => request.marker).join(', ');
