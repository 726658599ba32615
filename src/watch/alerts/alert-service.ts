import { Refusal } from '../../base/errors/refusal.ts';
import { waitAtMost } from '../../base/lib/wait-at-most.ts';
import type { WebhookRow } from '../../settings/config/alerts-schema.ts';
import type { AlertKind, AlertNews, Occasion, TrackedAlert } from './alert.ts';
import { gatewayBounds, organizationBounds } from './alert-bounds.ts';
import type { AlertCourier } from './alert-courier.ts';
import type { AlertStore } from './alert-store.ts';
import { newAlert } from './new-alert.ts';
import type { Receiver } from './receiver.ts';
import { ReportedOccasions } from './reported-occasions.ts';
import type { UnstoredAlerts } from './unstored-alerts.ts';

/** The longest time that a test alert waits for the first attempts. */
const TEST_WAIT_MS = 15_000;
/** The shortest time between two tests of the same receivers. */
const BETWEEN_TESTS_MS = 60_000;

export type AlertServiceParts = {
  store: AlertStore;
  unstored: Pick<UnstoredAlerts, 'add'>;
  courier: Pick<AlertCourier, 'take' | 'forget'>;
  webhooks(): readonly WebhookRow[];
  /** Returns the receivers of an organization. */
  receiversOf(accountId: string): readonly Receiver[];
  now(): number;
  /** Returns the address of this gateway. It is for receivers that get alerts of several gateways. */
  gateway(): string | null;
  report(level: 'warn' | 'error', event: string, fields: Record<string, unknown>): void;
  count(event: AlertKind): void;
  /** The service calls it with the news of each new alert. Tests are left out. */
  onRaised?(news: AlertNews): void;
};

/** The part of the service that the sources of alerts need. */
export type AlertRaiser = Pick<AlertService, 'raise' | 'hasRaised'>;

/** An alert, and the end of the first attempts to deliver it. */
type RaisedAlert = { alert: TrackedAlert; attempted: Promise<unknown> };

/** Turns news into alerts. Each occasion is reported once, and stored before it is sent. */
export class AlertService {
  readonly #parts: AlertServiceParts;
  readonly #occasions = new ReportedOccasions();
  readonly #adding = new Set<Promise<unknown>>();

  constructor(parts: AlertServiceParts) {
    this.#parts = parts;
  }

  /** Reports whether this process has reported the occasion. Another process can still have reported it. */
  hasRaised(name: string): boolean {
    return this.#occasions.endOf(name) > this.#parts.now();
  }

  /** Raises an alert in the background. `news` is called unless the occasion was reported. */
  raise(occasion: Occasion, news: () => AlertNews | Promise<AlertNews>): void {
    if (this.hasRaised(occasion.name)) return;
    this.#occasions.add(occasion);
    const adding = Promise.resolve()
      .then(news)
      .then((raisedNews) => this.#add({ ...raisedNews, occasion }))
      .catch((error: unknown) => {
        this.#occasions.remove(occasion.name);
        this.#parts.report('error', 'alert-failed', { error: String(error) });
      })
      .finally(() => this.#adding.delete(adding));
    this.#adding.add(adding);
  }

  /** Keeps an occasion that was reported from being reported again before `until`, by any process. */
  extend(name: string, until: number): void {
    this.#occasions.extend(name, until);
    void this.#parts.store
      .extendOccasion(name, until)
      .catch((error: unknown) => this.#parts.report('error', 'alert-not-stored', { error: String(error) }));
  }

  /**
   * Sends an alert to every webhook, and waits for the first attempts. Returns undefined if there is no
   * webhook. Refuses a second test at once.
   */
  async test(): Promise<TrackedAlert | Refusal | undefined> {
    if (this.#parts.webhooks().length === 0) return undefined;
    return this.#sendTest({ message: 'This is a test alert, which an operator has asked for.', data: {} });
  }

  /** Sends a test alert to the receivers of an organization. Returns undefined if there is no receiver. */
  async testOrganization(accountId: string): Promise<TrackedAlert | Refusal | undefined> {
    if (this.#receiversOf(accountId).length === 0) return undefined;
    return this.#sendTest({
      message: 'This is a test alert, which an owner of the organization has asked for.',
      data: { account_id: accountId },
      organization: accountId,
      isPrivate: true,
    });
  }

  /** Waits for the alerts that are being stored. */
  async close(): Promise<void> {
    await Promise.all(this.#adding);
  }

  async #sendTest(news: Omit<AlertNews, 'event'>): Promise<TrackedAlert | Refusal> {
    const now = this.#parts.now();
    const occasion = { name: `test ${news.organization ?? ''}`, until: now + BETWEEN_TESTS_MS };
    const end = this.#occasions.endOf(occasion.name);
    if (end > now) return tooSoon(end - now);
    this.#occasions.add(occasion);
    const raised = await this.#add({ event: 'test', ...news, occasion });
    if (!raised) return tooSoon(BETWEEN_TESTS_MS); // another process has sent one
    await waitAtMost(TEST_WAIT_MS, raised.attempted);
    return raised.alert;
  }

  /** Stores and sends an alert. Returns undefined if its occasion was reported before. */
  async #add(news: AlertNews): Promise<RaisedAlert | undefined> {
    const { store, unstored, courier, report, now, gateway } = this.#parts;
    let alert = newAlert(news, { at: now(), gateway: gateway(), receivers: this.#receiversFor(news) });
    const { occasion, organization: owner } = news;
    const bounds = owner === undefined ? gatewayBounds : organizationBounds;
    try {
      const { isNew, deliveries, removed } = await store.addAlert(alert, { occasion, owner, bounds });
      courier.forget(removed);
      if (!isNew) return undefined;
      alert = { ...alert, deliveries };
    } catch (error) {
      // The store may be the cause of the alert, so the alert is sent anyway, and stored later.
      unstored.add(alert, { owner, bounds });
      report('error', 'alert-not-stored', { alert: alert.id, error: String(error) });
    }
    return this.#send(alert, news);
  }

  /** Announces a new alert, and hands its deliveries to the courier. */
  #send(alert: TrackedAlert, news: AlertNews): RaisedAlert {
    const { courier, report, count, onRaised } = this.#parts;
    count(news.event);
    if (news.event !== 'test') {
      report('warn', 'alert', { alert: alert.id, event_name: news.event, message: news.message });
      onRaised?.(news);
    }
    const attempts = alert.deliveries.map((delivery) => courier.take(alert, delivery));
    return { alert, attempted: Promise.all(attempts) };
  }

  #receiversFor({ organization, isPrivate }: AlertNews): Receiver[] {
    const operators = isPrivate ? [] : this.#parts.webhooks();
    return [...operators, ...(organization === undefined ? [] : this.#receiversOf(organization))];
  }

  #receiversOf(accountId: string): readonly Receiver[] {
    return this.#parts.receiversOf(accountId);
  }
}

const tooSoon = (retryAfterMs: number): Refusal =>
  new Refusal('rate_limit_exceeded', {
    message: 'A test alert can be sent once a minute.',
    retryAfterMs,
  });
