import type { LedgerStore } from '../ledger/ledger-store.ts';
import { Tab, type TabParts } from './tab.ts';

const PAUSE_MS = 1_000;
/** Tabs of one write: others wait for the disk. */
const AT_A_TIME = 250;

/** Tabs of requests under way. What lasts longer than a second is written down, so that a crash does not make it free. */
export class Tabs {
  readonly #ledger: LedgerStore;
  readonly #onFailure: (error: unknown) => void;
  readonly #open = new Set<Tab>();
  readonly #timer: Timer;
  #sweeping: Promise<void> | undefined;
  #closed = false;

  constructor(ledger: LedgerStore, onFailure: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => void this.sweep(), PAUSE_MS);
    this.#timer.unref();
  }

  open(parts: TabParts): Tab {
    const tab = new Tab(this.#ledger, parts, this.#leave);
    this.#open.add(tab);
    return tab;
  }

  /** One round at a time; a failed one is made up for by the next. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll()
      .catch(this.#onFailure)
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  /** Ends with the round that is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #sweepAll(): Promise<void> {
    const before = performance.now() - PAUSE_MS;
    const lasting = [...this.#open].filter(({ openedAt }) => openedAt < before);
    for (let at = 0; at < lasting.length && !this.#closed; at += AT_A_TIME) {
      const still = lasting.slice(at, at + AT_A_TIME).filter((tab) => this.#open.has(tab));
      await this.#ledger.checkpoint(still.map((tab) => tab.checkpoint()));
    }
  }

  readonly #leave = (tab: Tab): void => void this.#open.delete(tab);
}
