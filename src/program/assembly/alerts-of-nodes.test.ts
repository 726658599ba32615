import { afterAll, expect, test } from 'bun:test';
import { startWebhook, WEBHOOK_SECRET } from '../../../test/support/start-webhook.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type Clock, MovableClock, systemClock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Spending } from '../../money/ledger/spend-watch.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { BillingRecords } from '../../store/billing-records.ts';
import { Database } from '../../store/postgres/database.ts';
import { PostgresAlerts } from '../../store/postgres/operation/postgres-alerts.ts';
import { PostgresQueries } from '../../store/postgres/postgres-queries.ts';
import { postgresForTest } from '../../store/postgres/testing/postgres-for-test.ts';
import { sampleOrder } from '../../store/testing/conformance/sample-ledger.ts';
import { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import type { AlertDelivery } from '../../watch/alerts/alert.ts';
import { gatewayBounds } from '../../watch/alerts/alert-bounds.ts';
import { ProviderAlerts } from '../../watch/alerts/provider-alerts.ts';
import { webhookIdOf } from '../../watch/alerts/receiver.ts';
import { Logger } from '../../watch/observability/logger.ts';
import { type AlertParts, assembleAlerts } from './assemble-alerts.ts';
import { followChanges } from './follow-changes.ts';

const url = await (await postgresForTest()).create();
const databases = [new Database({ url, maxConnections: 3 }), new Database({ url, maxConnections: 3 })];
const webhook = startWebhook();
afterAll(async () => {
  webhook.stop();
  await Promise.all(databases.map((database) => database.close()));
});

/** Starts the alerts of two nodes on one database. */
async function startNodes(clock: Clock = systemClock) {
  const webhooks = [{ url: webhook.url, secret: WEBHOOK_SECRET, events: null }];
  const current = {
    config: { alerts: { webhooks, credits_low_share: 0.1 }, server: { public_url: null } },
    names: { header: { signature: 'x-svc-signature' } },
  };
  const logger = new Logger({
    level: 'error',
    format: 'json',
    write: () => {},
    backlog: () => 0,
    now: Date.now,
  });
  const nodes = await Promise.all(
    databases.map(async (database, index) => {
      const store = new PostgresAlerts(database, newId('proc_'));
      const names = { findAccount: async () => undefined, findKey: async () => undefined };
      const holder = { current } as unknown as AlertParts['holder'];
      const billing = new BillingRecords(new PostgresQueries(database));
      const parts = {
        store: Object.assign(store, names),
        billing,
        clock,
        logger,
        holder,
        live: { publish: () => {} },
      };
      return { store, alerts: await assembleAlerts({ ...parts, node: `node-${index}` }) };
    }),
  );
  return {
    nodes: nodes.map(({ alerts }) => alerts),
    stop: async () => {
      for (const { alerts, store } of nodes) {
        await alerts.close();
        await store.close();
      }
    },
  };
}

const DOWN = 'provider_down local';

const settled = async () =>
  (await databases[0]!.first(`SELECT count(*) AS n FROM alert_delivery WHERE state = 'waiting'`))?.n === 0;

const purchased = (accountId: string, granted: number, used: number): Spending => ({
  order: sampleOrder({ accountId, pays: 'purchased', at: Date.now() }),
  usedMicrocredits: used,
  grantedMicrocredits: granted,
  keyMicrocredits: null,
  refused: null,
});

test('a condition that two nodes find is one alert, delivered once', async () => {
  const { nodes, stop } = await startNodes();
  for (const { faults } of nodes) faults.reportUnpricedRequest('a-model', 'a-tool');
  await webhook.arrives('unpriced_usage');
  await Promise.all(nodes.map(({ service }) => service.close()));
  await waitFor(settled);
  expect(webhook.of('unpriced_usage')).toHaveLength(1);
  await stop();
});

test('nodes that start take up the alerts of a lost node only, once', async () => {
  const lost = new PostgresAlerts(databases[0]!, newId('proc_'), 0);
  const running = new PostgresAlerts(databases[1]!, newId('proc_'));
  const left = await Promise.all(
    [lost, running].map(async (store) => {
      const id = newId('alrt_');
      const delivery: AlertDelivery = {
        alertId: id,
        webhook: webhookIdOf(webhook),
        host: webhook.origin,
        state: 'waiting',
        attempts: 0,
        nextAt: 0,
        endedAt: null,
        status: null,
        error: null,
      };
      const body = JSON.stringify({ id, event: 'ledger_fault' });
      const alert = { id, at: Date.now(), event: 'ledger_fault', body, deliveries: [delivery] } as const;
      await store.addAlert(alert, { bounds: gatewayBounds });
      return id;
    }),
  );
  const { stop } = await startNodes();
  await webhook.arrives('ledger_fault');
  await stop();
  expect(webhook.of('ledger_fault').map(({ id }) => id)).toEqual([left[0]]);
  await databases[0]!.run(`UPDATE alert_delivery SET state = 'dropped' WHERE state = 'waiting'`);
});

test('an outage of a provider is one alert, also for a node that starts long after its begin', async () => {
  const clock = new MovableClock();
  const { nodes, stop } = await startNodes(clock);
  const activity = new ProviderActivity(clock);
  const watch = ({ service }: (typeof nodes)[number]) => {
    const providers = () => [{ id: 'local', mode: 'live', maxConcurrent: null } as Provider];
    return new ProviderAlerts({ service, providers, activity, now: () => clock.now() });
  };
  const [early, late] = nodes.map(watch);
  const look = async (alerts: ProviderAlerts) => {
    for (let count = 0; count < 5; count++) activity.begin('local').end('error');
    for (let count = 0; count < 2; count++) alerts.look();
    await Promise.all(nodes.map(({ service }) => service.close()));
  };
  const ends = async () =>
    (await databases[0]!.first(`SELECT until FROM alert_occasion WHERE name = $1`, [DOWN]))?.until;
  await look(early!);
  for (let minute = 0; minute < 20; minute++) {
    clock.advance(60_000);
    await look(early!);
    await waitFor(async () => Number(await ends()) >= clock.now() + 60_000);
  }
  await look(late!);
  await waitFor(settled);
  expect(webhook.of('provider_down')).toHaveLength(1);
  await stop();
});

test('the disks of two nodes are two conditions', async () => {
  const { nodes, stop } = await startNodes();
  for (const { faults } of nodes) faults.reportLowDisk({ free_mb: 1, min_free_mb: 2 });
  await webhook.arrives('disk_low', 2);
  const named = webhook.of('disk_low').map(({ data }) => data.node);
  expect(named.sort()).toEqual(['node-0', 'node-1']);
  await stop();
});

test('a threshold is reported once by all nodes until a purchase on any node', async () => {
  const { nodes, stop } = await startNodes();
  const [one, other] = nodes;
  const changes = new Map<string, (subject: string) => void>();
  const authenticator = { forgetKey: () => {}, forgetAccount: () => {}, forgetAll: () => {} };
  const feed = {
    onChange: (kind: string, changed: (subject: string) => void) => void changes.set(kind, changed),
  };
  const onFailure = (error: unknown) => {
    throw error;
  };
  followChanges(
    { ...feed, onClosed: () => {} },
    {
      authenticator,
      alerts: other!,
      drains: { follow: () => {} },
      live: { receive: () => {} },
      settings: { load: async () => {} },
      onFailure,
    },
  );
  one!.spending.purchased('acct_1', 100);
  for (const { spending } of nodes) spending.spent(purchased('acct_1', 100, 95));
  await webhook.arrives('credits_low');
  one!.spending.purchased('acct_1', 1_000);
  const announced = async () =>
    (await databases[0]!.first(`SELECT count(*) AS n FROM change WHERE kind = 'mark'`))?.n === 2;
  await waitFor(announced);
  changes.get('mark')!('acct_1');
  // 91 of 1,000 are left: low as a share of the latest purchase, which this node has learned from the other
  // one.
  await waitFor(() => {
    other!.spending.spent(purchased('acct_1', 1_095, 1_004));
    return webhook.of('credits_low').length === 2;
  });
  one!.spending.spent(purchased('acct_1', 1_095, 1_010));
  await Promise.all(nodes.map(({ service }) => service.close()));
  await waitFor(settled);
  expect(webhook.of('credits_low')).toHaveLength(2);
  await stop();
});
