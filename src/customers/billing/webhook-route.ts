import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { parseBytes } from '../../edge/http/create-body-reader.ts';
import type { RawBodyReader } from '../../edge/http/create-raw-body-reader.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { applierOf } from './applier-of.ts';
import type { EventInbox, StripeEvent } from './event-inbox.ts';
import { signatureProblem } from './stripe/signature-problem.ts';

const MAX_WORD = 255;
/** Anybody can send a body, so it is only parsed if it is signed. Those of Stripe are far smaller. */
const MAX_BYTES = 1_024 * 1_024;

export type WebhookParts = { inbox: EventInbox; readBytes: RawBodyReader; signedAt(): number };

/** Receives the messages of Stripe. The answer is 2xx only after the message is durable. */
export const webhookRoute = ({ inbox, readBytes, signedAt }: WebhookParts): Route => ({
  method: 'POST',
  path: '/stripe/webhook',
  async handle(exchange) {
    const { stripe } = exchange.snapshot.config.billing;
    if (!stripe) return new Refusal('not_found');
    const bytes = await readBytes(exchange, MAX_BYTES);
    if (bytes instanceof Refusal) return bytes;
    const problem = signatureProblem({
      body: bytes,
      header: exchange.request.headers.get('stripe-signature'),
      secrets: stripe.webhook_secrets,
      toleranceS: stripe.webhook_tolerance_s,
      nowMs: signedAt(),
    });
    if (problem !== undefined) return new Refusal('invalid_request', { message: problem });
    const body = parseBytes(bytes);
    if (body instanceof Refusal) return body;
    const event = eventOf(body.value);
    // Some objects of other events have no id, such as the invoice that is to come.
    if (!event && isIgnored(body.value)) return jsonReply(200, { received: true, duplicate: false });
    if (!event) return new Refusal('invalid_request', { message: 'The body is not an event.' });
    const { isNew, processed } = await inbox.receive(event);
    // The sender does not wait for the calls to Stripe. A failure is retried from the store.
    void processed;
    return jsonReply(200, { received: true, duplicate: !isNew });
  },
});

/** Reports whether the body is an event of a type that changes nothing. */
function isIgnored({ id, type }: JsonObject): boolean {
  const [eventId, eventType] = [id, type].map(wordOf);
  return Boolean(eventId && eventType) && applierOf(eventType!) === undefined;
}

function eventOf({ id, type, data }: JsonObject): StripeEvent | undefined {
  const [eventId, eventType, objectId] = [id, type, objectOf(objectOf(data).object).id].map(wordOf);
  return eventId && eventType && objectId ? { id: eventId, type: eventType, objectId } : undefined;
}

/** Returns a text that a store can keep as an id, or undefined for another value. */
function wordOf(value: unknown): string | undefined {
  const text = textOf(value) ?? '';
  return text.length <= MAX_WORD && !text.includes('\0') ? text : undefined;
}
