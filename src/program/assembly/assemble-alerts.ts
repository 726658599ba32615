import type { Clock } from '../../base/lib/clock.ts';
import type { BillingStore } from '../../customers/billing/billing-store.ts';
import { OrganizationReceivers } from '../../customers/billing/organization-receivers.ts';
import { sendOverSmtp } from '../../customers/mail/send-over-smtp.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import type { SnapshotSource } from '../../settings/snapshot/snapshot.ts';
import { lookUpAddresses } from '../../upstream/http-client/look-up-addresses.ts';
import type { AlertNews } from '../../watch/alerts/alert.ts';
import type { AlertBook } from '../../watch/alerts/alert-book.ts';
import { AlertCourier } from '../../watch/alerts/alert-courier.ts';
import { AlertService } from '../../watch/alerts/alert-service.ts';
import type { AlertStore } from '../../watch/alerts/alert-store.ts';
import { DeliveryTakeover } from '../../watch/alerts/delivery-takeover.ts';
import { FaultAlerts } from '../../watch/alerts/fault-alerts.ts';
import type { Mailer } from '../../watch/alerts/mailer.ts';
import { receiverSender } from '../../watch/alerts/receiver-sender.ts';
import { SpendAlerts } from '../../watch/alerts/spend-alerts.ts';
import { UnstoredAlerts } from '../../watch/alerts/unstored-alerts.ts';
import { alertOccurrence } from '../../watch/live/alert-occurrence.ts';
import type { LiveBoard } from '../../watch/live/live-board.ts';
import { AlertMetrics } from '../../watch/observability/alert-metrics.ts';
import type { Logger } from '../../watch/observability/logger.ts';

export type AlertParts = {
  store: AlertStore & Pick<AccountStore, 'findAccount' | 'findKey'>;
  billing: BillingStore;
  clock: Clock;
  logger: Logger;
  holder: SnapshotSource;
  /**
   * The name of this process among several that share the store. Undefined if it has the store for itself.
   */
  node?: string | undefined;
  live: Pick<LiveBoard, 'publish'>;
};

/** Shows an alert on the pages that are open. */
function showLive(live: AlertParts['live'], news: AlertNews): void {
  const occurrence = alertOccurrence(news);
  if (occurrence) live.publish(occurrence);
}

type ReportLevel = 'info' | 'warn' | 'error';

/**
 * Creates the parts that report conditions to operators, and takes up the deliveries of an earlier process.
 */
export async function assembleAlerts({ store, billing, clock, logger, holder, node, live }: AlertParts) {
  const now = () => clock.now();
  const webhooks = () => holder.current.config.alerts.webhooks;
  const report = (level: ReportLevel, event: string, fields: Record<string, unknown>) =>
    logger[level](event, fields);
  const metrics: AlertMetrics = new AlertMetrics(() => courier.waiting);
  const mailer = mailerOf(holder);
  const receivers = new OrganizationReceivers(billing);
  await receivers.refresh();
  const shared = { store, webhooks, now, report };
  const courier = new AlertCourier({
    ...shared,
    send: senderOf(holder, mailer),
    random: Math.random,
    signedAt: Date.now,
    organizationReceiver: receivers.byId,
    header: () => holder.current.names.header.signature,
    count: (outcome) => metrics.countDelivery(outcome),
  });
  const unstored = new UnstoredAlerts(store);
  const service = new AlertService({
    ...shared,
    unstored,
    courier,
    receiversOf: receivers.receiversOf,
    gateway: () => holder.current.config.server.public_url,
    count: (event) => metrics.countAlert(event),
    onRaised: (news) => showLive(live, news),
  });
  const marks = await store.creditMarks();
  const spending = spendAlertsOf({ store, logger, holder }, { alerts: service, marks, receivers });
  const takeover = new DeliveryTakeover({
    store,
    courier,
    onFailure: (error) => logger.error('alerts-not-taken', { error: String(error) }),
  });
  await takeover.take();
  if (node !== undefined) {
    takeover.repeat();
    receivers.repeat((error) => logger.warn('receivers-not-read', { error: String(error) }));
  }
  const stopLooking = clock.onJump?.(() => courier.look());
  return {
    service,
    spending,
    receivers,
    mailer,
    faults: new FaultAlerts({ service, now, node }),
    metrics: metrics.all,
    book: bookOf(unstored, service),
    /** Reads the balance after a purchase that another process has recorded. */
    async followPurchase(accountId: string) {
      const mark = await store.creditMark(accountId);
      if (mark !== undefined) marks.set(accountId, mark);
    },
    /** Applies the webhooks of a new configuration. */
    follow: () => courier.follow(),
    async close() {
      stopLooking?.();
      receivers.close();
      await takeover.close();
      await service.close();
      unstored.close();
      await courier.close();
    },
  };
}

const senderOf = (holder: AlertParts['holder'], mailer: Mailer) =>
  receiverSender({
    mailer,
    lookUp: lookUpAddresses,
    allowsPrivate: () => holder.current.config.billing.private_receivers,
  });

type SpendParts = {
  alerts: AlertService;
  /** The credits of each account at its latest alert. */
  marks: Map<string, number>;
  receivers: OrganizationReceivers;
};

const spendAlertsOf = (
  { store, logger, holder }: Pick<AlertParts, 'store' | 'logger' | 'holder'>,
  { alerts, marks, receivers }: SpendParts,
): SpendAlerts =>
  new SpendAlerts({
    service: alerts,
    marks,
    ownShares: receivers.lowSharesOf,
    lowShare: () => holder.current.config.alerts.credits_low_share,
    saveMark: (accountId, microcredits) =>
      void store
        .saveCreditMark(accountId, microcredits)
        .catch((error: unknown) => logger.error('alert-not-stored', { error: String(error) })),
    nameOfAccount: async (id) => (await store.findAccount(id))?.name ?? null,
    nameOfKey: async (id) => (await store.findKey(id))?.name ?? null,
  });

const bookOf = (unstored: UnstoredAlerts, service: AlertService): AlertBook => ({
  list: (page) => unstored.list(page),
  find: (id) => unstored.find(id),
  test: () => service.test(),
});

/** Deliveries of alerts are repeated from the store, so each mail is sent once here. */
const mailerOf = (holder: AlertParts['holder']): Mailer => ({
  isReady: () => holder.current.config.mail.host !== null,
  send: (to, subject, text) => sendOverSmtp(holder.current.config.mail, { kind: 'alert', to, subject, text }),
});

export type AssembledAlerts = Awaited<ReturnType<typeof assembleAlerts>>;
