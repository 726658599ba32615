import type { Alert, AlertDelivery, AlertDeliveryState, AlertKind } from '../watch/alerts/alert.ts';
import type { CommonRow } from './common-queries.ts';

export const alertOfRow = (row: CommonRow): Alert => ({
  id: row.id as string,
  at: row.at as number,
  event: row.event as AlertKind,
  body: row.body as string,
});

export const deliveryOfRow = (row: CommonRow): AlertDelivery => ({
  alertId: row.alert_id as string,
  webhook: row.webhook as string,
  host: row.host as string,
  state: row.state as AlertDeliveryState,
  attempts: row.attempts as number,
  nextAt: row.next_at as number,
  endedAt: row.ended_at as number | null,
  status: row.status as number | null,
  error: row.error as string | null,
});
