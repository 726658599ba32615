import { parseObject } from '../../base/json/read-json.ts';
import { isInsideHost } from '../../base/lib/inside-host.ts';
import { isNumericHost } from '../../base/lib/plain-host.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { Mailer } from './mailer.ts';
import { type AlertEnvelope, type SentAlert, sendAlert } from './send-alert.ts';
import type { Receiver } from './webhook.ts';

export type ReceiverSenderParts = {
  mailer: Mailer;
  /** Reports whether organizations may name private and loopback addresses. */
  allowsPrivate(): boolean;
  lookUp(hostname: string): Promise<readonly string[]>;
};

type Send = (envelope: AlertEnvelope & { webhook: Receiver }, stopped: AbortSignal) => Promise<SentAlert>;

/** Sends an alert to a webhook of the configuration, to an organization's webhook, or by mail. */
export const receiverSender =
  (parts: ReceiverSenderParts): Send =>
  (envelope, stopped) => {
    const { url, accountId } = envelope.webhook;
    if (url.startsWith('mailto:')) return sendMail(parts.mailer, envelope);
    return accountId === undefined ? sendAlert(envelope, stopped) : sendOutside(parts, envelope, stopped);
  };

const failed = (error: string): SentAlert => ({ ok: false, status: null, error });

async function sendMail(mailer: Mailer, { webhook, body }: AlertEnvelope): Promise<SentAlert> {
  if (!mailer.isReady()) return failed('Mail is not configured.');
  const { event, message, created_at: at } = parseObject(body);
  try {
    await mailer.send(webhook.url.slice('mailto:'.length), subjectOf(String(event)), `${message}\n\n${at}\n`);
    return { ok: true, status: null, error: null };
  } catch {
    return failed('The mail was not accepted.');
  }
}

const subjects: Readonly<Record<string, string>> = {
  cap_80: 'An API key has spent 80 % of its cap',
  cap_100: 'An API key has reached its cap',
  budget_warning: 'A budget has spent most of its limit',
  budget_exhausted: 'A budget is exhausted',
  credits_low: 'Credits are low',
  auto_reload_failed: 'An automatic purchase has failed',
  payment_problem: 'A payment has failed',
  test: 'Test of your alerts',
};

const subjectOf = (event: string): string => lookUp(subjects, event) ?? 'Alert';

/**
 * Connects to an address that was checked, so that a name cannot lead to another one between the check and
 * the connection. Redirects are never followed.
 */
async function sendOutside(
  { allowsPrivate, lookUp }: ReceiverSenderParts,
  envelope: AlertEnvelope,
  stopped: AbortSignal,
): Promise<SentAlert> {
  if (allowsPrivate()) return sendAlert(envelope, stopped);
  const url = new URL(envelope.webhook.url);
  if (url.protocol !== 'https:' || isInsideHost(url.hostname)) return refused();
  if (isNumericHost(url.hostname)) return sendAlert(envelope, stopped);
  const addresses = await lookUp(url.hostname).catch((): string[] => []);
  const hosts = addresses.map((address) => (address.includes(':') ? plainHost(`[${address}]`) : address));
  const [address] = hosts;
  if (address === undefined) return failed('The name of the webhook has no address.');
  if (hosts.some(isInsideHost)) return refused();
  return sendAlert({ ...envelope, address }, stopped);
}

/** Normalizes an IPv6 address, which may contain an IPv4 address. */
const plainHost = (host: string): string => URL.parse(`https://${host}/`)?.hostname ?? '[::]';

const refused = (): SentAlert => failed('The address of the webhook is not on the public internet.');
