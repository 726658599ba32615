import { newId } from '../../base/lib/ids.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { AlertDelivery, AlertNews, TrackedAlert } from './alert.ts';
import { alertSeverities } from './alert-severities.ts';
import { hostOf, type Receiver, takesEvent, webhookIdOf } from './receiver.ts';

type AlertOrigin = {
  at: number;
  /** The address of the gateway. */
  gateway: string | null;
  receivers: readonly Receiver[];
};

/** Makes an alert, and a waiting delivery to each receiver of its event. */
export function newAlert({ event, message, data }: AlertNews, origin: AlertOrigin): TrackedAlert {
  const { at, gateway, receivers } = origin;
  const id = newId('alrt_');
  const severity = alertSeverities[event];
  const body = JSON.stringify({ id, event, severity, created_at: isoTime(at), gateway, message, data });
  const deliveries = receivers
    .filter((receiver) => takesEvent(receiver, event))
    .map((receiver) => newDelivery(receiver, { id, at }))
    .sort(byWebhook);
  return { id, at, event, body, deliveries };
}

const newDelivery = (receiver: Receiver, { id, at }: { id: string; at: number }): AlertDelivery => ({
  alertId: id,
  webhook: webhookIdOf(receiver),
  host: hostOf(receiver),
  state: 'waiting',
  attempts: 0,
  nextAt: at,
  endedAt: null,
  status: null,
  error: null,
});

/** Compares deliveries by the order of the store. */
const byWebhook = (one: AlertDelivery, other: AlertDelivery): number =>
  one.webhook < other.webhook ? -1 : 1;
