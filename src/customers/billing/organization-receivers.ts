import type { AlertEvent } from '../../settings/config/alerts-schema.ts';
import { type Receiver, webhookIdOf } from '../../watch/alerts/receiver.ts';
import type { ReceiverBody } from './billing-record.ts';
import type { BillingStore } from './billing-store.ts';
import { confirmedAddresses } from './confirmed-addresses.ts';

/** The time within which other nodes read a change. */
const REFRESH_MS = 10_000;
/** The organizations that are read at once. */
const PAGE_SIZE = 500;

/** Mail is not signed. */
const NO_SECRET = '';

/** The events of which an organization is always notified. */
const accountEvents: readonly AlertEvent[] = ['credits_low', 'auto_reload_failed', 'payment_problem'];
/** The events of keys' caps and of budgets, which an organization can turn off. */
const spendingEvents: readonly AlertEvent[] = ['cap_80', 'cap_100', 'budget_warning', 'budget_exhausted'];

/** The alerts of an organization. It is notified of low credits at each of the `lowShares` that are left. */
type OrganizationAlerts = { lowShares: readonly number[]; receivers: readonly Receiver[] };

/** Holds the receivers of all organizations in memory, so that a charge costs one look-up. */
export class OrganizationReceivers {
  readonly #store: Pick<BillingStore, 'listBilling'>;
  #alerts = new Map<string, OrganizationAlerts>();
  #byId = new Map<string, Receiver>();
  #timer: Timer | undefined;
  /** The number of the latest refresh, and the number of the refresh whose receivers are in force. */
  #begun = 0;
  #inForce = 0;

  constructor(store: Pick<BillingStore, 'listBilling'>) {
    this.#store = store;
  }

  receiversOf = (accountId: string): readonly Receiver[] => this.#alerts.get(accountId)?.receivers ?? [];

  byId = (id: string): Receiver | undefined => this.#byId.get(id);

  lowSharesOf = (accountId: string): readonly number[] => this.#alerts.get(accountId)?.lowShares ?? [];

  /** Reads all receivers. A refresh that ends after a later one changes nothing. */
  async refresh(): Promise<void> {
    const refresh = ++this.#begun;
    const current = new Map<string, OrganizationAlerts>();
    const byId = new Map<string, Receiver>();
    let after: string | undefined;
    do {
      const page = await this.#store.listBilling('receiver', { limit: PAGE_SIZE, after });
      for (const { id, body } of page) {
        const receivers = receiversIn(body, id);
        current.set(id, { lowShares: body.lowPercents.map((percent) => percent / 100), receivers });
        for (const receiver of receivers) byId.set(webhookIdOf(receiver), receiver);
      }
      after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
    if (refresh < this.#inForce) return;
    this.#inForce = refresh;
    this.#alerts = current;
    this.#byId = byId;
  }

  /** Follows the changes of other processes. */
  repeat(onFailure: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.refresh().catch(onFailure), REFRESH_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** Returns the receivers that an organization has set: its confirmed mail addresses and its webhook. */
function receiversIn(body: ReceiverBody, accountId: string): Receiver[] {
  const events = body.caps ? [...accountEvents, ...spendingEvents] : [...accountEvents];
  const addresses = confirmedAddresses(body).map((address) => `mailto:${address}`);
  const receivers = addresses.map((url) => ({ url, secret: NO_SECRET, events, accountId }));
  const { webhookUrl: url, secret } = body;
  // Both are stored together.
  return url === null || secret === null ? receivers : [...receivers, { url, secret, events, accountId }];
}
