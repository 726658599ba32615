import { SingleFlight } from '../../base/lib/single-flight.ts';
import type { Page, PageRequest } from '../../money/accounts/account-store.ts';
import type { TrackedAlert } from './alert.ts';
import type { AddAlert, AlertStore } from './alert-store.ts';

const RETRY_MS = 10_000;
/** The alerts that are kept while the store refuses them. New ones replace the oldest ones. */
const MAX_KEPT = 100;

type UnstoredAlert = { alert: TrackedAlert; options: Omit<AddAlert, 'occasion'> };
type StoredAlerts = Pick<AlertStore, 'addAlert' | 'listAlerts' | 'findAlert'>;

/**
 * Keeps alerts that the store refused, for example because its disk is full. They are listed with the stored
 * alerts, and stored when the store works again.
 */
export class UnstoredAlerts {
  readonly #store: StoredAlerts;
  readonly #alerts: UnstoredAlert[] = [];
  readonly #retrying = new SingleFlight();
  #timer: Timer | undefined;

  constructor(store: StoredAlerts) {
    this.#store = store;
  }

  add(alert: TrackedAlert, options: UnstoredAlert['options']): void {
    this.#alerts.push({ alert, options });
    if (this.#alerts.length > MAX_KEPT) this.#alerts.shift();
    this.#timer ??= setInterval(() => void this.retry(), RETRY_MS);
    this.#timer.unref();
  }

  /** Stores the kept alerts, the oldest first. Stops at the first one that the store refuses. */
  retry(): Promise<void> {
    return this.#retrying.run(() => this.#retry());
  }

  async #retry(): Promise<void> {
    for (let [first] = this.#alerts; first; [first] = this.#alerts) {
      const { alert, options } = first;
      if (!(await this.#save(alert, options))) return;
      const place = this.#alerts.indexOf(first);
      if (place >= 0) this.#alerts.splice(place, 1);
    }
    this.close();
  }

  async #save(alert: TrackedAlert, options: UnstoredAlert['options']): Promise<boolean> {
    try {
      // A store whose answer was lost may have the alert already.
      if (!(await this.#store.findAlert(alert.id))) await this.#store.addAlert(alert, options);
      return true;
    } catch {
      return false;
    }
  }

  /** Lists these alerts before the stored ones, newest first. */
  async list({ limit, after }: PageRequest): Promise<Page<TrackedAlert>> {
    const unstored = this.#alerts.map(({ alert }) => alert).reverse();
    const place = unstored.findIndex(({ id }) => id === after);
    if (after !== undefined && place < 0) return this.#store.listAlerts({ limit, after });
    const unstoredPage = unstored.slice(place + 1, place + 1 + limit);
    if (unstored.length > place + 1 + limit) return { items: unstoredPage, hasMore: true };
    const space = limit - unstoredPage.length;
    // A full page needs to know whether any stored alert follows.
    const { items, hasMore } = await this.#store.listAlerts({ limit: Math.max(1, space) });
    return { items: [...unstoredPage, ...items.slice(0, space)], hasMore: hasMore || items.length > space };
  }

  async find(id: string): Promise<TrackedAlert | undefined> {
    return this.#alerts.find(({ alert }) => alert.id === id)?.alert ?? (await this.#store.findAlert(id));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
