import { isNumericHost } from '../../base/lib/plain-host.ts';
import { isPrivateHost } from '../../base/lib/private-host.ts';
import { mailAlert } from './mail-alert.ts';
import type { Mailer } from './mailer.ts';
import { isMail, type Receiver } from './receiver.ts';
import { type AlertEnvelope, failedDelivery, type SentAlert, sendAlert } from './send-alert.ts';

export type ReceiverSenderParts = {
  mailer: Mailer;
  /** Reports whether organizations may name private and loopback addresses. */
  allowsPrivate(): boolean;
  /** Returns the addresses of a host name. */
  lookUp(hostname: string): Promise<readonly string[]>;
};

type Send = (envelope: AlertEnvelope & { webhook: Receiver }, stopped: AbortSignal) => Promise<SentAlert>;

/** Sends an alert to a webhook of the configuration, to an organization's webhook, or by mail. */
export const receiverSender =
  (parts: ReceiverSenderParts): Send =>
  (envelope, stopped) => {
    const { accountId } = envelope.webhook;
    if (isMail(envelope.webhook)) return mailAlert(parts.mailer, envelope);
    const isChecked = accountId === undefined || parts.allowsPrivate();
    return isChecked ? sendAlert(envelope, stopped) : sendOutside(parts.lookUp, envelope, stopped);
  };

/**
 * Connects to an address that was checked, so that a name cannot lead to another one between the check and
 * the connection. Redirects are never followed.
 */
async function sendOutside(
  lookUp: ReceiverSenderParts['lookUp'],
  envelope: AlertEnvelope,
  stopped: AbortSignal,
): Promise<SentAlert> {
  const { protocol, hostname } = new URL(envelope.webhook.url);
  if (protocol !== 'https:' || isPrivateHost(hostname)) return refusedAddress();
  if (isNumericHost(hostname)) return sendAlert(envelope, stopped);
  const addresses = (await lookUp(hostname).catch((): string[] => [])).map(hostOfAddress);
  const [address] = addresses;
  if (address === undefined) return failedDelivery('The name of the webhook has no address.');
  if (addresses.some(isPrivateHost)) return refusedAddress();
  return sendAlert({ ...envelope, address }, stopped);
}

/** Returns an address as a URL has it. The URL parser normalizes IPv6, which may contain an IPv4 address. */
const hostOfAddress = (address: string): string =>
  address.includes(':') ? (URL.parse(`https://[${address}]/`)?.hostname ?? '[::]') : address;

const refusedAddress = (): SentAlert =>
  failedDelivery('The address of the webhook is not on the public internet.');
