import { DAY_MS } from '../../base/lib/units.ts';
import type { AlertEvent } from '../../settings/config/alerts-schema.ts';

/** The events of alerts. An operator asks for `test`, and every webhook gets it. */
export type AlertKind = AlertEvent | 'test';

/** A reason for an alert. It is reported once until this time, or once for ever if `until` is null. */
export type Occasion = { name: string; until: number | null };

/** The occasions of a period are remembered this much longer, for requests that end late. */
export const LATE_MS = 7 * DAY_MS;

/** A condition that operators should know. */
export type AlertNews = {
  event: AlertKind;
  /** The text for readers, in one or more sentences. */
  message: string;
  data: Readonly<Record<string, unknown>>;
  /** An alert without an occasion is always sent. */
  occasion?: Occasion;
  /** The organization that is notified through its own receivers. */
  organization?: string;
  /** True if only the organization is notified. */
  isPrivate?: boolean;
};

/** `body` is the JSON text that every webhook gets, even at each retry. */
export type Alert = { id: string; at: number; event: AlertKind; body: string };

/** `dropped`: the delivery ended without success. */
export type AlertDeliveryState = 'waiting' | 'delivered' | 'dropped';

/** The delivery of one alert to one webhook. */
export type AlertDelivery = {
  alertId: string;
  /** The webhook's id, which depends on its address only. */
  webhook: string;
  /** The origin of the webhook's address. The rest of an address can be a secret. */
  host: string;
  state: AlertDeliveryState;
  /** The attempts that have ended. */
  attempts: number;
  /** The time of the next attempt. */
  nextAt: number;
  endedAt: number | null;
  /** The HTTP status of the latest attempt, or null if there was no answer. */
  status: number | null;
  /** The failure of the latest attempt, as a sentence. */
  error: string | null;
};

export type TrackedAlert = Alert & { deliveries: readonly AlertDelivery[] };
