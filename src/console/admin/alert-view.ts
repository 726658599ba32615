import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { AlertDelivery, TrackedAlert } from '../../watch/alerts/alert.ts';

/** The members of every alert's body that pages show. */
type AlertBody = { event: string; message: string; created_at: string };

/** An alert as operators see it: the body that webhooks get, and its deliveries. */
export const alertView = ({ id, body, deliveries }: TrackedAlert) => ({
  id,
  ...(JSON.parse(body) as AlertBody),
  deliveries: deliveries.map(deliveryView),
});

/** The address of a webhook can be a secret, so only its origin is shown. */
const deliveryView = ({ webhook, host, state, attempts, nextAt, endedAt, status, error }: AlertDelivery) => ({
  webhook_id: webhook,
  host,
  state,
  attempts,
  next_attempt_at: state === 'waiting' ? isoTime(nextAt) : null,
  ended_at: isoTimeOrNull(endedAt),
  status,
  error,
});
