import type { PlanClass } from '../../../upstream/capacity/plan-class.ts';
import type { SlotShare } from '../../../upstream/capacity/provider-slots.ts';
import { json } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';

/** The part of the queue for slots that the keeper reads and bounds. */
export type SharedCapacity = {
  inUse(providerId: string): number;
  waitingFor(providerId: string, planClass: PlanClass): number;
  setShare(providerId: string, share: SlotShare | undefined): void;
  onWaiting: ((providerId: string) => void) | undefined;
};

export type ShareKeeperParts = {
  queries: Pick<Queries, 'first' | 'run'>;
  node: () => string;
  capacity: SharedCapacity;
  /** Returns the providers with a limit. */
  providers: () => Iterable<{ id: string; maxConcurrent: number | null }>;
  onFailure(error: unknown): void;
};

/** The pause while requests queue here or elsewhere. */
const BUSY_PAUSE_MS = 150;
/** The pause at other times. */
const IDLE_PAUSE_MS = 2_000;
/** The time in which changes gather, so that they share a call. */
const GATHER_MS = 5;

/** A share of this node. `paidOnly` is true while a paid request waits on another node. */
type NodeShare = Readonly<{ granted: number; wanted: number; paidOnly: boolean }>;
const NO_SHARE: NodeShare = { granted: 0, wanted: 0, paidOnly: false };

/** The parameters of `sync_shares` for a provider. `kept` is the number of slots that this node keeps. */
type ShareState = [
  provider: string,
  maxConcurrent: number | null,
  inUse: number,
  waitingPaid: number,
  waitingOther: number,
  kept: number,
];
/** The answer of `sync_shares()` for a provider. */
type ShareAnswer = [
  provider: string,
  granted: number,
  wanted: number,
  paidElsewhere: boolean,
  anyElsewhere: boolean,
  /** True if the grants still exceed a limit that was lowered. */
  isOver: boolean,
];

/**
 * Keeps this node's shares of the providers' slots. A node uses no slot before its first share. It gives back
 * what it does not need, and serves no Free request while a paid one waits on another node.
 */
export class ShareKeeper {
  readonly #parts: ShareKeeperParts;
  readonly #shares = new Map<string, NodeShare>();
  /** Providers without a limit since a reload. Their rows stay while slots of them are in use here. */
  readonly #dropped = new Set<string>();
  #isBusy = false;
  #timer: Timer | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #syncing: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: ShareKeeperParts) {
    this.#parts = parts;
  }

  /** The shares of this node, by provider. */
  get shares(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#shares].map(([id, { granted }]) => [id, granted]));
  }

  async start(): Promise<void> {
    this.follow();
    this.#parts.capacity.onWaiting = () => this.#arm(GATHER_MS);
    await this.sync();
  }

  /** Takes up the providers of a new configuration. A new provider has no slots before its first share. */
  follow(): void {
    const { capacity } = this.#parts;
    const limited = new Set(this.#limited().map(({ id }) => id));
    for (const id of this.#shares.keys()) {
      if (limited.has(id)) continue;
      this.#shares.delete(id);
      this.#dropped.add(id);
      capacity.setShare(id, undefined);
    }
    for (const id of limited) {
      this.#dropped.delete(id);
      if (this.#shares.has(id)) continue;
      this.#shares.set(id, NO_SHARE);
      capacity.setShare(id, { slots: 0, paidOnly: false });
    }
    this.#arm(0);
  }

  /** Synchronizes soon, since another node lacks slots. */
  notice(providerId: string): void {
    if (this.#shares.has(providerId)) this.#arm(0);
  }

  /**
   * Starts again after another node has closed this one and returned its shares. Slots in use end with the
   * answers that hold them.
   */
  renew(): void {
    const { capacity } = this.#parts;
    for (const [id, { paidOnly }] of this.#shares) {
      const granted = capacity.inUse(id);
      this.#shares.set(id, { granted, wanted: 0, paidOnly });
      capacity.setShare(id, { slots: granted, paidOnly });
    }
    this.#arm(0);
  }

  /** Stops, and gives all shares back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#parts.capacity.onWaiting = undefined;
    await this.#syncing;
    const { queries, node } = this.#parts;
    // Without the database, the share ends with the node.
    await queries.run('DELETE FROM provider_share WHERE node = $1', [node()]).catch(() => {});
  }

  /** Makes one call at a time. */
  sync(): Promise<void> {
    this.#syncing ??= this.#sync()
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#syncing = undefined;
        this.#arm(this.#isBusy ? BUSY_PAUSE_MS : IDLE_PAUSE_MS);
      });
    return this.#syncing;
  }

  #limited() {
    return [...this.#parts.providers()].filter(({ maxConcurrent }) => maxConcurrent !== null);
  }

  #arm(delayMs: number): void {
    const dueAt = performance.now() + delayMs;
    if (this.#isStopped || dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      void this.sync();
    }, delayMs);
    this.#timer.unref();
  }

  async #sync(): Promise<void> {
    const { queries, node } = this.#parts;
    for (const id of this.#dropped) await this.#returnDropped(id);
    const states = this.#limited().map((provider) => this.#stateOf(provider));
    if (states.length === 0) {
      this.#isBusy = false;
      return;
    }
    const row = await queries.first('SELECT sync_shares($1, $2::text::jsonb)::text AS answer', [
      node(),
      JSON.stringify(states),
    ]);
    this.#isBusy = states.some(([, , , waitingPaid, waitingOther]) => waitingPaid + waitingOther > 0);
    for (const answer of json<readonly ShareAnswer[]>(row, 'answer')) this.#take(answer);
  }

  #stateOf({ id, maxConcurrent }: { id: string; maxConcurrent: number | null }): ShareState {
    const { capacity } = this.#parts;
    const waitingOther = (['free', 'batch', 'flex'] as const).reduce(
      (sum, planClass) => sum + capacity.waitingFor(id, planClass),
      0,
    );
    const kept = this.#keep(id, this.#shares.get(id) ?? NO_SHARE);
    return [id, maxConcurrent, capacity.inUse(id), capacity.waitingFor(id, 'paid'), waitingOther, kept];
  }

  /** Gives back the free slots of a provider without a limit. */
  async #returnDropped(id: string): Promise<void> {
    const { queries, node, capacity } = this.#parts;
    const inUse = capacity.inUse(id);
    await queries.run(
      `UPDATE provider_share SET granted = $3, in_use = $3, waiting_paid = 0, waiting_other = 0
       WHERE node = $1 AND provider = $2`,
      [node(), id, inUse],
    );
    if (inUse > 0) return;
    // Without the database, the share ends with the node.
    await queries.run('DELETE FROM provider_share WHERE node = $1 AND provider = $2', [node(), id]);
    this.#dropped.delete(id);
  }

  #take([id, granted, wanted, paidElsewhere, anyElsewhere, isOver]: ShareAnswer): void {
    if (!this.#shares.has(id)) return; // a reload removed the provider
    this.#shares.set(id, { granted, wanted, paidOnly: paidElsewhere });
    this.#parts.capacity.setShare(id, { slots: granted, paidOnly: paidElsewhere });
    if (anyElsewhere || wanted > granted) this.#isBusy = true;
    if ((anyElsewhere || isOver) && wanted < granted) this.#arm(0);
  }

  /**
   * Lowers the share to the slots that are needed, and returns it. The next call reports the lower share, so
   * no slot is used here and granted to another node.
   */
  #keep(id: string, { granted, wanted, paidOnly }: NodeShare): number {
    const slots = Math.min(granted, Math.max(wanted, this.#parts.capacity.inUse(id)));
    if (slots < granted) this.#parts.capacity.setShare(id, { slots, paidOnly });
    return slots;
  }
}
