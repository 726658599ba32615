import { createHash } from 'node:crypto';
import type { WebhookRow } from '../../settings/config/alerts-schema.ts';
import type { AlertKind } from './alert.ts';

const ID_LENGTH = 12;

/** The scheme of the addresses that get mail. */
export const MAIL_SCHEME = 'mailto:';

/**
 * A receiver of alerts. A receiver with an account belongs to the organization, and no operator has checked
 * it. Its address can also be `mailto:`.
 */
export type Receiver = WebhookRow & { accountId?: string };

/**
 * Returns the id of a webhook. A new secret or other events do not change it, so waiting deliveries survive
 * such a change.
 */
export const webhookIdOf = ({ url, accountId }: Pick<Receiver, 'url' | 'accountId'>): string =>
  `wh_${createHash('sha256')
    .update(accountId === undefined ? url : `${url} ${accountId}`)
    .digest('hex')
    .slice(0, ID_LENGTH)}`;

/** Reports whether a receiver gets mail. */
export const isMail = ({ url }: Receiver): boolean => url.startsWith(MAIL_SCHEME);

/** Returns the part of a receiver's address that operators may see. */
export const hostOf = (receiver: Receiver): string =>
  isMail(receiver) ? 'mail' : (URL.parse(receiver.url)?.origin ?? '');

/** Reports whether a receiver gets alerts of an event. Every receiver gets tests. */
export const takesEvent = ({ events }: WebhookRow, event: AlertKind): boolean =>
  event === 'test' || events === null || events.includes(event);
