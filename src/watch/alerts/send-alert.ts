import { codeOfError } from '../../base/lib/error-code.ts';
import { sendPlain } from '../../base/lib/send-plain.ts';
import type { WebhookRow } from '../../settings/config/alerts-schema.ts';
import { signAlert } from './sign-alert.ts';

const TIMEOUT_MS = 10_000;

export type AlertEnvelope = {
  webhook: WebhookRow;
  body: string;
  /** The name of the header with the signature. */
  header: string;
  now: number;
  /** The numeric address to connect to, of the name in the webhook's address. */
  address?: string;
};

/** The outcome of an attempt. */
export type SentAlert = {
  /** True if the webhook answered with 2xx. */
  ok: boolean;
  status: number | null;
  /** The failure, as a sentence. */
  error: string | null;
  /** The pause that the webhook asks for. */
  retryAfterMs?: number | undefined;
};

/** Returns the outcome of an alert that reached no webhook. */
export const failedDelivery = (error: string): SentAlert => ({ ok: false, status: null, error });

/** Sends an alert once. Rejects only if `stopped` ends the attempt. */
export async function sendAlert(
  { webhook, body, header, now, address }: AlertEnvelope,
  stopped: AbortSignal,
): Promise<SentAlert> {
  try {
    const answer = await sendPlain({
      ...placeOf(webhook.url, address),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [header]: signAlert({ body, secret: webhook.secret, nowMs: now }),
        ...(address !== undefined && { host: new URL(webhook.url).host }),
      },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stopped]),
    });
    // Nobody reads the body, so its end does not matter.
    void answer.body?.cancel().catch(() => {});
    return outcomeOf(answer);
  } catch (error) {
    if (stopped.aborted) throw error;
    return failedDelivery(reasonOf(error));
  }
}

function placeOf(url: string, address: string | undefined): { url: string; serverName?: string } {
  if (address === undefined) return { url };
  const place = new URL(url);
  const serverName = place.hostname;
  place.hostname = address;
  return { url: place.href, serverName };
}

function outcomeOf({ ok, status, headers }: Response): SentAlert {
  if (ok) return { ok, status, error: null };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = seconds > 0 ? seconds * 1_000 : undefined;
  return { ok, status, error: `The webhook answered with status ${status}.`, retryAfterMs };
}

/** Returns the reason of a failure. The runtime's message may contain the address, which can be a secret. */
function reasonOf(error: unknown): string {
  const { name } = error as { name?: unknown };
  if (name === 'TimeoutError') return `The webhook did not answer within ${TIMEOUT_MS / 1_000} s.`;
  return `The connection failed (${codeOfError(error) ?? String(name)}).`;
}
