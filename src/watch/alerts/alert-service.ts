import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { waitAtMost } from '../../base/lib/wait-at-most.ts';
import type { WebhookRow } from '../../settings/config/alerts-schema.ts';
import type { AlertDelivery, AlertKind, AlertNews, Occasion, TrackedAlert } from './alert.ts';
import { gatewayBounds, organizationBounds } from './alert-bounds.ts';
import type { AlertCourier } from './alert-courier.ts';
import type { AlertStore } from './alert-store.ts';
import type { UnstoredAlerts } from './unstored-alerts.ts';
import { hostOf, type Receiver, takesEvent, webhookIdOf } from './webhook.ts';

/** The reported occasions that are remembered here. The store remembers all. */
const MAX_REMEMBERED = 10_000;
/** The longest time that a test alert waits for the first attempts. */
const TEST_WAIT_MS = 15_000;
/** The shortest time between two tests of the same receivers. */
const BETWEEN_TESTS_MS = 60_000;

const severities: Readonly<Record<AlertKind, 'info' | 'warning' | 'critical'>> = {
  cap_80: 'warning',
  cap_100: 'critical',
  budget_warning: 'warning',
  budget_exhausted: 'critical',
  credits_low: 'warning',
  provider_down: 'critical',
  provider_key_refused: 'critical',
  credential_failing: 'critical',
  ledger_fault: 'critical',
  disk_low: 'critical',
  unpriced_usage: 'warning',
  price_unconfirmed: 'warning',
  payment_reversed: 'warning',
  payment_problem: 'critical',
  auto_reload_failed: 'warning',
  shortfall_stop: 'warning',
  test: 'info',
};

export type AlertServiceParts = {
  store: AlertStore;
  unstored: Pick<UnstoredAlerts, 'add'>;
  courier: Pick<AlertCourier, 'take' | 'forget'>;
  webhooks(): readonly WebhookRow[];
  /** The receivers of an organization. */
  receiversOf?(accountId: string): readonly Receiver[];
  now(): number;
  /** Returns the address of this gateway, for receivers of several ones. */
  gateway(): string | null;
  report(level: 'warn' | 'error', event: string, fields: Record<string, unknown>): void;
  count(event: AlertKind): void;
  /** Is called with each alert that is new, apart from tests. */
  onRaised?(news: AlertNews): void;
};

/** Turns news into alerts: each occasion once, stored before it is sent. */
export class AlertService {
  readonly #parts: AlertServiceParts;
  readonly #reported = new Map<string, number>();
  readonly #adding = new Set<Promise<unknown>>();

  constructor(parts: AlertServiceParts) {
    this.#parts = parts;
  }

  /**
   * Reports whether this process has reported the occasion. False does not mean that no earlier process has.
   */
  hasRaised(name: string): boolean {
    return (this.#reported.get(name) ?? 0) > this.#parts.now();
  }

  /** Raises an alert in the background. `news` is called unless the occasion was reported. */
  raise(occasion: Occasion, news: () => AlertNews | Promise<AlertNews>): void {
    if (this.hasRaised(occasion.name)) return;
    this.#remember(occasion);
    const adding = Promise.resolve()
      .then(news)
      .then((made) => this.#add({ ...made, occasion }))
      .catch((error: unknown) => {
        this.#reported.delete(occasion.name);
        this.#parts.report('error', 'alert-failed', { error: String(error) });
      })
      .finally(() => this.#adding.delete(adding));
    this.#adding.add(adding);
  }

  /** Keeps an occasion that was reported from being reported again before `until`, by any process. */
  extend(name: string, until: number): void {
    const reported = this.#reported.get(name);
    if (reported !== undefined && reported < until) this.#reported.set(name, until);
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

  /** Sends a test alert to the receivers of an organization. Returns undefined if it has none. */
  async testOrganization(accountId: string): Promise<TrackedAlert | Refusal | undefined> {
    if ((this.#parts.receiversOf?.(accountId) ?? []).length === 0) return undefined;
    return this.#sendTest({
      message: 'This is a test alert, which an owner of the organization has asked for.',
      data: { account_id: accountId },
      organization: accountId,
      isPrivate: true,
    });
  }

  async #sendTest(news: Omit<AlertNews, 'event'>): Promise<TrackedAlert | Refusal> {
    const now = this.#parts.now();
    const occasion = { name: `test ${news.organization ?? ''}`, until: now + BETWEEN_TESTS_MS };
    const until = this.#reported.get(occasion.name) ?? 0;
    if (until > now) return tooSoon(until - now);
    this.#remember(occasion);
    const added = await this.#add({ event: 'test', ...news, occasion });
    if (!added) return tooSoon(BETWEEN_TESTS_MS); // another process has sent one
    await waitAtMost(TEST_WAIT_MS, added.tried);
    return added.alert;
  }

  /** Waits for the alerts that are being stored. */
  async close(): Promise<void> {
    await Promise.all(this.#adding);
  }

  /** Stores and sends an alert. Returns undefined if its occasion was reported before. */
  async #add(news: AlertNews): Promise<RaisedAlert | undefined> {
    const { store, unstored, courier, report } = this.#parts;
    let alert = this.#alertOf(news);
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
    return { alert, tried: Promise.all(alert.deliveries.map((delivery) => courier.take(alert, delivery))) };
  }

  #alertOf({ event, message, data, organization, isPrivate }: AlertNews): TrackedAlert {
    const at = this.#parts.now();
    const id = newId('alrt_');
    const severity = severities[event];
    const gateway = this.#parts.gateway();
    const body = JSON.stringify({ id, event, severity, created_at: isoTime(at), gateway, message, data });
    const ofOrganization = organization === undefined ? [] : (this.#parts.receiversOf?.(organization) ?? []);
    const ofOperators = isPrivate ? [] : this.#parts.webhooks();
    const receivers = [...ofOperators, ...ofOrganization].filter((webhook) => takesEvent(webhook, event));
    const deliveries = receivers.map((webhook) => deliveryOf(webhook, id, at)).sort(byWebhook);
    return { id, at, event, body, deliveries };
  }

  #remember({ name, until }: Occasion): void {
    if (this.#reported.size >= MAX_REMEMBERED) this.#reported.clear();
    this.#reported.set(name, until ?? Number.POSITIVE_INFINITY);
  }
}

/** An alert, and the end of the first attempts to deliver it. */
type RaisedAlert = { alert: TrackedAlert; tried: Promise<unknown> };

const tooSoon = (retryAfterMs: number): Refusal =>
  new Refusal('rate_limit_exceeded', {
    message: 'A test alert can be sent once a minute.',
    retryAfterMs,
  });

/** Compares deliveries by the order of the store. */
const byWebhook = (one: AlertDelivery, other: AlertDelivery): number =>
  one.webhook < other.webhook ? -1 : 1;

const deliveryOf = (webhook: Receiver, alertId: string, at: number): AlertDelivery => ({
  alertId,
  webhook: webhookIdOf(webhook),
  host: hostOf(webhook),
  state: 'waiting',
  attempts: 0,
  nextAt: at,
  endedAt: null,
  status: null,
  error: null,
});
