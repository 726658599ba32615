import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { alertEvents } from '../../settings/config/alerts-schema.ts';
import type { AlertDelivery, TrackedAlert } from '../../watch/alerts/alert.ts';
import { accepted } from '../routes/accepted.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf, unknownAfter } from '../routes/page-fields.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts' | 'alerts'>();

const text = Type.String();

const delivery = Type.Object({
  webhook_id: Type.String({ description: 'The id of the webhook, which depends on its address only.' }),
  host: Type.String({ description: "The origin of the webhook's address." }),
  state: Type.Enum(['waiting', 'delivered', 'dropped']),
  attempts: Type.Integer(),
  next_attempt_at: orNull(time, '`null` means that the delivery has ended.'),
  ended_at: orNull(time, '`null` means that the delivery waits.'),
  status: orNull(
    Type.Integer(),
    'The HTTP status of the latest attempt. `null` means that there was no answer.',
  ),
  error: orNull(text, 'The failure of the latest attempt.'),
});

/** The body that webhooks get. */
const body = Type.Object({
  event: Type.Enum([...alertEvents, 'test']),
  severity: Type.Enum(['info', 'warning', 'critical']),
  created_at: time,
  gateway: orNull(text, 'The address of the gateway (`server.public_url`).'),
  message: text,
  data: Type.Object({}, { description: 'The facts of the event.' }),
});
const alert = Type.Object(
  { id: text, ...body.properties, deliveries: Type.Array(delivery) },
  { title: 'Alert' },
);

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
      if (page.after !== undefined && !(await alerts.find(page.after))) return unknownAfter('an alert');
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

const alertView = (tracked: TrackedAlert): ViewOf<typeof alert> => ({
  id: tracked.id,
  ...(JSON.parse(tracked.body) as ViewOf<typeof body>),
  deliveries: tracked.deliveries.map(deliveryView),
});

/** The address of a webhook can be a secret, so only its origin is shown. */
const deliveryView = (attempted: AlertDelivery): ViewOf<typeof delivery> => ({
  webhook_id: attempted.webhook,
  host: attempted.host,
  state: attempted.state,
  attempts: attempted.attempts,
  next_attempt_at: attempted.state === 'waiting' ? isoTime(attempted.nextAt) : null,
  ended_at: isoTimeOrNull(attempted.endedAt),
  status: attempted.status,
  error: attempted.error,
});
