import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { alertEvents } from '../../settings/config/alerts-schema.ts';
import type { AlertDelivery, TrackedAlert } from '../../watch/alerts/alert.ts';
import type { ViewOf } from '../routes/typed-route.ts';

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
/** An alert with its deliveries to webhooks. */
export const alert = Type.Object(
  { id: text, ...body.properties, deliveries: Type.Array(delivery) },
  { title: 'Alert' },
);

/** Shows an alert. Its body is stored as webhooks get it. */
export const alertView = (tracked: TrackedAlert): ViewOf<typeof alert> => ({
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
