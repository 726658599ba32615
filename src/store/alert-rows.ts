import type { Alert, AlertDelivery, AlertDeliveryState, AlertKind } from '../watch/alerts/alert.ts';
import type { CommonRow } from './common-queries.ts';
import { nullableNumber, nullableText, number, text } from './row-columns.ts';

export const alertOfRow = (row: CommonRow): Alert => ({
  id: text(row, 'id'),
  at: number(row, 'at'),
  event: text<AlertKind>(row, 'event'),
  body: text(row, 'body'),
});

export const deliveryOfRow = (row: CommonRow): AlertDelivery => ({
  alertId: text(row, 'alert_id'),
  webhook: text(row, 'webhook'),
  host: text(row, 'host'),
  state: text<AlertDeliveryState>(row, 'state'),
  attempts: number(row, 'attempts'),
  nextAt: number(row, 'next_at'),
  endedAt: nullableNumber(row, 'ended_at'),
  status: nullableNumber(row, 'status'),
  error: nullableText(row, 'error'),
});
