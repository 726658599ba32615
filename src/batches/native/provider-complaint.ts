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
  /** The HTTP status. Undefined if no answer arrived. */
  readonly status: number | undefined;
  /** True if the connection was not made, so that the request was not sent. */
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
}

/** Returns the failure's refusal, with the provider's complaint as its cause. */
export function complaintRefusal(provider: Provider, failure: UpstreamFailure): Refusal {
  const { code, details } = failure.refusal;
  return new Refusal(code, { ...details, cause: new ProviderComplaint(provider, failure) });
}

/** Returns the provider's complaint that has caused a failure, if there is one. */
export function complaintIn(error: unknown): ProviderComplaint | undefined {
  const cause = error instanceof Refusal ? error.details.cause : undefined;
  return cause instanceof ProviderComplaint ? cause : undefined;
}

/** Returns what the log says about a failure: the provider's own words, if there are any. */
export function complaintForLog(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const complaint = complaintIn(error);
  return complaint ? `${error.code}: ${complaint.message}` : error.code;
}
