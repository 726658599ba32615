import { HOUR_MS } from '../../base/lib/units.ts';

/** The bounds of the alerts that are kept for an owner and sent to a recipient. */
export type AlertBounds = {
  /** The most alerts that are kept for the owner. New ones replace the oldest ones. */
  alerts: number;
  /** The most deliveries that wait for one recipient. */
  waiting: number;
  /** The most alerts that one recipient gets in `rateMs`. Further ones are sent later. */
  rate: number;
  rateMs: number;
  /** The reason of a delivery that was dropped to keep the bound. */
  error: string;
};

const recipientBounds = {
  waiting: 100,
  rate: 60,
  rateMs: HOUR_MS,
  error: 'Newer alerts have replaced the alert.',
};

export const gatewayBounds: AlertBounds = { alerts: 1_000, ...recipientBounds };
export const organizationBounds: AlertBounds = { alerts: 100, ...recipientBounds };
