import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Page, PageRequest } from '../../money/accounts/account-store.ts';
import type { Alert, AlertDelivery, Occasion, TrackedAlert } from './alert.ts';
import type { AlertBounds } from './alert-bounds.ts';

export type AddAlert = {
  occasion?: Occasion | undefined;
  /** The account of the organization that caused the alert. Without one, the alert is the gateway's own. */
  owner?: string | undefined;
  bounds: AlertBounds;
};

/** The outcome of adding an alert. */
export type AddedAlert = {
  /** False if the occasion was reported before. */
  isNew: boolean;
  /** The deliveries, with the times at which they are due. */
  deliveries: AlertDelivery[];
  /** The waiting deliveries that were dropped to keep the bounds. */
  removed: AlertDelivery[];
};

/**
 * Keeps alerts and their deliveries. If several processes share the store, one of them holds each delivery.
 */
export interface AlertStore {
  /**
   * Adds an alert with its deliveries, unless its occasion was reported before. This process holds the
   * deliveries. The alerts of each organization and the alerts of the gateway have separate bounds. The
   * bounds of a recipient count its deliveries of both kinds.
   */
  addAlert(alert: TrackedAlert, options: AddAlert): Promise<AddedAlert>;
  /** Saves a delivery. A delivery of a removed alert is not saved. */
  saveAlertDelivery(delivery: AlertDelivery): Promise<void>;
  /** Keeps an occasion that was reported from being reported again before this time. */
  extendOccasion(name: string, until: number): Promise<void>;
  /**
   * Returns the waiting deliveries that no other process holds, the oldest alert first. This process then
   * holds them for a while.
   */
  waitingAlertDeliveries(): Promise<{ alert: Alert; delivery: AlertDelivery }[]>;
  /** Reports whether this process may attempt the delivery. It then holds it for a while. */
  holdsAlertDelivery(delivery: AlertDelivery): MaybeLater<boolean>;
  /** Lists alerts newest first. Returns an empty page if `after` is unknown. */
  listAlerts(page: PageRequest): Promise<Page<TrackedAlert>>;
  findAlert(id: string): Promise<TrackedAlert | undefined>;
  /** Saves an account's balance of purchased credit after its latest purchase. */
  saveCreditMark(accountId: string, microcredits: number): Promise<void>;
  /** Returns the saved balances by account. */
  creditMarks(): Promise<Map<string, number>>;
  creditMark(accountId: string): Promise<number | undefined>;
}
