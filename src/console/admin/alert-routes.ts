import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import { accepted } from '../routes/accepted.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';
import { alert, alertView } from './alert-view.ts';

const route = adminRouteWith<'accounts' | 'alerts'>();

const group = 'Admin: operation';

/** The routes that list alerts and send a test alert. */
export const alertRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/alerts',
      group,
      summary: 'Lists alerts with their deliveries to webhooks, newest first',
      query: Type.Object(pageFields),
      answer: listOf(alert),
      returns: 'A page of alerts.',
    },
    async ({ query }, { alerts }) => {
      const page = pageOf(query);
      if (page.after !== undefined && !(await alerts.find(page.after))) throw unknownAfter('an alert');
      const { items, hasMore } = await alerts.list(page);
      return listView(items.map(alertView), hasMore);
    },
  ),
  route(
    {
      method: 'POST',
      path: '/admin/v1/alerts/test',
      group,
      summary: 'Sends a test alert to every webhook, at most once a minute',
      answer: alert,
      returns:
        'The alert, with the result of the first attempt at each webhook. Failed attempts are repeated.',
      errors: ['invalid_request', 'rate_limit_exceeded'],
    },
    async ({ actor }, { alerts, accounts }) => {
      const testAlert = accepted((await alerts.test()) ?? noWebhook());
      await accounts.record('alert-test', testAlert.id, { before: null, after: null, actor });
      return alertView(testAlert);
    },
  ),
];

const noWebhook = (): Refusal =>
  new Refusal('invalid_request', {
    message: 'No webhook is configured. Add one to alerts.webhooks and reload the configuration.',
  });
