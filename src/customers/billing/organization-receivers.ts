import type { AlertEvent } from '../../settings/config/alerts-schema.ts';
import { type Receiver, webhookIdOf } from '../../watch/alerts/webhook.ts';
import type { ReceiverBody } from './billing-record.ts';
import type { BillingStore } from './billing-store.ts';
import { confirmedIn } from './confirmed-addresses.ts';

/** Other nodes read a change within this time. */
const REFRESH_MS = 10_000;
const AT_A_TIME = 500;

/** The events of which an organization is always notified. */
const accountEvents: readonly AlertEvent[] = ['credits_low', 'auto_reload_failed', 'payment_problem'];
const capEvents: readonly AlertEvent[] = ['cap_80', 'cap_100', 'budget_warning', 'budget_exhausted'];

type OrganizationAlerts = { shares: readonly number[]; receivers: readonly Receiver[] };

/** Holds the receivers of all organizations in memory, so that a charge costs one look-up. */
export class OrganizationReceivers {
  readonly #store: Pick<BillingStore, 'listBilling'>;
  #alerts = new Map<string, OrganizationAlerts>();
  #byId = new Map<string, Receiver>();
  #timer: Timer | undefined;
  /** The numbers of the refresh that began last, and of the one whose receivers are in force. */
  #begun = 0;
  #inForce = 0;

  constructor(store: Pick<BillingStore, 'listBilling'>) {
    this.#store = store;
  }

  receiversOf = (accountId: string): readonly Receiver[] => this.#alerts.get(accountId)?.receivers ?? [];

  byId = (id: string): Receiver | undefined => this.#byId.get(id);

  sharesOf = (accountId: string): readonly number[] => this.#alerts.get(accountId)?.shares ?? [];

  /** Reads all receivers. A refresh that ends after a later one changes nothing. */
  async refresh(): Promise<void> {
    const own = ++this.#begun;
    const current = new Map<string, OrganizationAlerts>();
    const byId = new Map<string, Receiver>();
    let after: string | undefined;
    do {
      const page = await this.#store.listBilling('receiver', { limit: AT_A_TIME, after });
      for (const { id, body } of page) {
        const receivers = receiversOf(id, body);
        current.set(id, { shares: body.lowPercents.map((percent) => percent / 100), receivers });
        for (const receiver of receivers) byId.set(webhookIdOf(receiver), receiver);
      }
      after = page.length < AT_A_TIME ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
    if (own < this.#inForce) return;
    this.#inForce = own;
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

function receiversOf(accountId: string, body: ReceiverBody): Receiver[] {
  const events = body.caps ? [...accountEvents, ...capEvents] : [...accountEvents];
  const mails = confirmedIn(body).map((address) => ({
    url: `mailto:${address}`,
    secret: '',
    events,
    accountId,
  }));
  if (body.webhookUrl === null) return mails;
  return [...mails, { url: body.webhookUrl, secret: body.secret ?? '', events, accountId }];
}
