import { codeOfError } from '../../../base/lib/error-code.ts';
import { sendPlain } from '../../../base/lib/send-plain.ts';
import type { StripeSettings } from '../../../settings/config/billing-schema.ts';
import { type FormValue, formFields } from './form-fields.ts';
import { StripeFailure } from './stripe-failure.ts';
import type { StripePayment } from './stripe-objects.ts';

/**
 * The version of the API that `stripe-objects.ts` describes. It does not depend on the settings of the Stripe
 * account.
 */
const VERSION = '2024-06-20';
const TIMEOUT_MS = 20_000;

export type StripeCall = {
  fields?: Readonly<Record<string, FormValue>>;
  /** Stripe makes a change with the same key once, and repeats its answer for a day. */
  key?: string;
};

/** Calls the Stripe API. Every failure is a `StripeFailure`. */
export class StripeClient {
  readonly #settings: () => StripeSettings | null;

  constructor(settings: () => StripeSettings | null) {
    this.#settings = settings;
  }

  /** True if payments are configured. */
  get isReady(): boolean {
    return this.#settings() !== null;
  }

  get<Answer>(path: string, fields: Readonly<Record<string, FormValue>> = {}): Promise<Answer> {
    const query = formFields(fields).toString();
    return this.#call<Answer>('GET', query === '' ? path : `${path}?${query}`, {});
  }

  post<Answer>(path: string, call: StripeCall = {}): Promise<Answer> {
    return this.#call<Answer>('POST', path, call);
  }

  async #call<Answer>(method: 'GET' | 'POST', path: string, { fields, key }: StripeCall): Promise<Answer> {
    const settings = this.#settings();
    if (!settings) throw new StripeFailure({ status: 0, message: 'Stripe is not configured.' });
    const answer = await sendPlain({
      url: `${settings.api_base}${path}`,
      method,
      headers: {
        authorization: `Bearer ${settings.secret_key}`,
        'stripe-version': VERSION,
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(method === 'POST' && { body: formFields(fields ?? {}).toString() }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new StripeFailure({ status: 0, message: `Stripe cannot be reached (${nameOf(error)}).` });
    });
    const body = (await answer.json().catch(() => undefined)) as AnswerBody | undefined;
    // The header names the version that the types describe.
    if (answer.ok && body) return body as Answer;
    throw failureOf(answer.status, body);
  }
}

type AnswerBody = {
  error?: {
    message?: string;
    code?: string;
    decline_code?: string;
    payment_intent?: StripePayment;
  };
};

const nameOf = (error: unknown): string =>
  codeOfError(error) ?? (error instanceof Error ? error.name : 'unknown');

const failureOf = (status: number, body: AnswerBody | undefined): StripeFailure =>
  new StripeFailure({
    status,
    message: body?.error?.message ?? `Stripe answered with status ${status}.`,
    code: body?.error?.decline_code ?? body?.error?.code ?? null,
    payment: body?.error?.payment_intent ?? null,
  });
