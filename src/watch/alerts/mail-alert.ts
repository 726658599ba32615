import { parseObject } from '../../base/json/read-json.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { AlertKind } from './alert.ts';
import type { Mailer } from './mailer.ts';
import { MAIL_SCHEME } from './receiver.ts';
import { type AlertEnvelope, failedDelivery, type SentAlert } from './send-alert.ts';

/** Sends an alert by mail once. */
export async function mailAlert(mailer: Mailer, { webhook, body }: AlertEnvelope): Promise<SentAlert> {
  if (!mailer.isReady()) return failedDelivery('Mail is not configured.');
  const { event, message, created_at: at } = parseObject(body);
  const subject = lookUp(subjects, String(event)) ?? 'Alert';
  try {
    await mailer.send(webhook.url.slice(MAIL_SCHEME.length), subject, `${message}\n\n${at}\n`);
    return { ok: true, status: null, error: null };
  } catch {
    return failedDelivery('The mail was not accepted.');
  }
}

/** The subjects of the alerts that organizations get. */
const subjects: Readonly<Partial<Record<AlertKind, string>>> = {
  cap_80: 'An API key has spent 80 % of its cap',
  cap_100: 'An API key has reached its cap',
  budget_warning: 'A budget has spent most of its limit',
  budget_exhausted: 'A budget is exhausted',
  credits_low: 'Credits are low',
  auto_reload_failed: 'An automatic purchase has failed',
  payment_problem: 'A payment has failed',
  test: 'Test of your alerts',
};
