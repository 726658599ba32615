import { Refusal } from '../../base/errors/refusal.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { redactUpstreamError } from '../../upstream/calling/redact-upstream-error.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';

/** The runtime's codes for a connection that was not made. */
const unsent: ReadonlySet<string> = new Set(['ConnectionRefused', 'ECONNREFUSED', 'ENOTFOUND']);

/** A provider's message about a batch or one of its items, for the log only. */
export class ProviderComplaint extends Error {
  readonly outcome: UpstreamFailure['outcome'];
  readonly upstreamError: (UpstreamError & Pick<UpstreamFailure, 'fault'>) | undefined;
  /** The HTTP status. It is undefined if no answer arrived. */
  readonly status: number | undefined;
  /** The connection was not made, so the request was not sent. */
  readonly isUnsent: boolean;

  constructor(provider: Provider, { reason, error, outcome, fault, status, refusal }: UpstreamFailure) {
    const upstreamError = error && redactUpstreamError(error, provider);
    const parts = [
      reason,
      upstreamError?.type,
      upstreamError?.code,
      upstreamError?.message,
      upstreamError?.requestId,
    ];
    super(`${provider.id}: ${parts.filter((part) => part).join(': ')}`);
    this.outcome = outcome;
    this.upstreamError = upstreamError && { ...upstreamError, ...(fault && { fault }) };
    this.status = status;
    this.isUnsent = unsent.has(String(Object(refusal.details.cause).code));
    this.name = 'ProviderComplaint';
    delete this.stack;
  }

  /** Returns the failure's refusal, with the complaint as its cause. */
  static refusal(provider: Provider, failure: UpstreamFailure): Refusal {
    const { code, details } = failure.refusal;
    return new Refusal(code, { ...details, cause: new ProviderComplaint(provider, failure) });
  }

  /** Returns the HTTP status of a failure, if it has one. */
  static statusIn(error: unknown): number | undefined {
    const cause = error instanceof Refusal ? error.details.cause : undefined;
    return cause instanceof ProviderComplaint ? cause.status : undefined;
  }

  /** Returns what the log says about a failure: the provider's own words, if there are any. */
  static inLog(error: unknown): unknown {
    if (!(error instanceof Refusal)) return error;
    const { cause } = error.details;
    return cause instanceof ProviderComplaint ? `${error.code}: ${cause.message}` : error.code;
  }
}
