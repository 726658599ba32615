import type { Page, PageRequest } from '../../money/accounts/account-store.ts';
import type { TrackedAlert } from './alert.ts';
import type { AddAlert, AlertStore } from './alert-store.ts';

const RETRY_MS = 10_000;
/** The alerts that are kept while the store refuses them. New ones replace the oldest ones. */
const MAX_KEPT = 100;

type UnstoredAlert = { alert: TrackedAlert; options: Omit<AddAlert, 'occasion'> };
type StoreOfAlerts = Pick<AlertStore, 'addAlert' | 'listAlerts' | 'findAlert'>;

/**
 * Keeps alerts that the store refused, for example because its disk is full.
 * Lists show them, and they are stored when the store works.
 */
export class UnstoredAlerts {
  readonly #store: StoreOfAlerts;
  readonly #alerts: UnstoredAlert[] = [];
  #timer: Timer | undefined;

  constructor(store: StoreOfAlerts) {
    this.#store = store;
  }

  add(alert: TrackedAlert, options: UnstoredAlert['options']): void {
    this.#alerts.push({ alert, options });
    if (this.#alerts.length > MAX_KEPT) this.#alerts.shift();
    this.#timer ??= setInterval(() => void this.retry(), RETRY_MS);
    this.#timer.unref();
  }

  /** Stores what is kept, the oldest alert first. Stops at the first one that the store refuses. */
  async retry(): Promise<void> {
    for (let [first] = this.#alerts; first; [first] = this.#alerts) {
      const { alert, options } = first;
      if (!(await this.#save(alert, options))) return;
      const place = this.#alerts.indexOf(first);
      if (place >= 0) this.#alerts.splice(place, 1);
    }
    this.close();
  }

  /** A store whose answer was lost may have the alert already. */
  async #save(alert: TrackedAlert, options: UnstoredAlert['options']): Promise<boolean> {
    try {
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
    const isFull = unstored.length > place + 1 + limit;
    if (isFull || unstoredPage.length === limit) return { items: unstoredPage, hasMore: true };
    const { items, hasMore } = await this.#store.listAlerts({ limit: limit - unstoredPage.length });
    return { items: [...unstoredPage, ...items], hasMore };
  }

  async find(id: string): Promise<TrackedAlert | undefined> {
    return this.#alerts.find(({ alert }) => alert.id === id)?.alert ?? (await this.#store.findAlert(id));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
