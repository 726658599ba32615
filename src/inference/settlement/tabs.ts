import type { Unavailable } from '../../base/errors/unavailable.ts';
import { Roster, type RosterEntry } from '../../base/lib/roster.ts';
import { SingleFlight } from '../../base/lib/single-flight.ts';
import type { Postings } from './postings.ts';
import { Tab, type TabOpening } from './tab.ts';

/** A lasting tab is written before it is a second old, and again within a second of each change. */
const PAUSE_MS = 250;
const OLD_MS = 750;
/** The number of tabs in one write, small because other requests wait for the disk. */
const TABS_PER_WRITE = 250;

/**
 * Keeps the tabs of open requests. A tab that lasts a second is written to the store, so that a crash does
 * not make its request free.
 */
export class Tabs {
  readonly #postings: Postings;
  readonly #onFailure: (error: unknown) => void;
  readonly #open = new Roster<Tab>();
  readonly #timer: Timer;
  readonly #sweeping = new SingleFlight();
  #isClosed = false;

  constructor(postings: Postings, onFailure: (error: unknown) => void) {
    this.#postings = postings;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => void this.sweep(), PAUSE_MS);
    this.#timer.unref();
  }

  open(opening: TabOpening): Tab {
    return new Tab(this.#postings, opening, this.#open);
  }

  /** Returns the reason to open no new tabs. */
  problem(): Unavailable | undefined {
    return this.#postings.problem();
  }

  /** Runs one round at a time. The next round makes up for a failed one. */
  sweep(): Promise<void> {
    return this.#sweeping.run(() => this.#sweepAll().catch(this.#onFailure));
  }

  /**
   * Leaves the holds of all open requests to another node, which ends them. Their answers end with an error;
   * `reason` says why. New tabs are not affected.
   */
  abandonAll(reason: Error): void {
    for (const { item: tab } of this.#open.entries()) tab?.abandon(reason);
  }

  /** Stops the timer, and waits for the current round. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#sweeping.ended();
  }

  async #sweepAll(): Promise<void> {
    const now = performance.now();
    await this.#postings.checkpoint([]);
    const due = this.#open.entries().filter(({ item }) => item && item.notedAt < now - OLD_MS);
    for (let at = 0; at < due.length && !this.#isClosed; at += TABS_PER_WRITE) {
      await this.#note(due.slice(at, at + TABS_PER_WRITE), now);
    }
  }

  async #note(places: readonly RosterEntry<Tab>[], now: number): Promise<void> {
    const noted = places.flatMap(({ item: tab }) => {
      const checkpoint = tab?.checkpoint(); // the tab may have been closed since
      return tab && checkpoint ? [{ tab, checkpoint }] : [];
    });
    await this.#postings.checkpoint(noted.map(({ checkpoint }) => checkpoint));
    for (const { tab, checkpoint } of noted) tab.note(checkpoint, now);
  }
}
