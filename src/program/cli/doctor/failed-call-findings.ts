import { codeOfError } from '../../../base/lib/error-code.ts';
import { messageOfError } from '../../../base/lib/message-of-error.ts';
import { CredentialFailure } from '../../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import { SMALL_TIMEOUT_MS, type SmallReply } from '../../../upstream/calling/ask-small.ts';
import { failureOfStatus } from '../../../upstream/calling/failure-of-status.ts';
import {
  type FaultCause,
  faultRemedies,
  isCertificateFault,
} from '../../../upstream/calling/provider-fault.ts';
import { redactUpstreamError } from '../../../upstream/calling/redact-upstream-error.ts';
import { type Finding, fail, warn } from './finding.ts';
import { asRemedy } from './finding-text.ts';

const CHECK = 'live';

const remediesOfFaults: Readonly<Record<FaultCause, string>> = {
  key_refused: 'replace the key, and reload or restart the server',
  out_of_credit: asRemedy(faultRemedies.out_of_credit),
  clock_skew: asRemedy(faultRemedies.clock_skew),
  certificate: asRemedy(faultRemedies.certificate),
};

/** Returns the finding for a call without a reply. */
export function unansweredFinding({ id }: Provider, error: unknown): Finding {
  if (error instanceof CredentialFailure) {
    const message = `${id} has no credential, because the source ${error.source} failed: ${error.message}`;
    return fail(CHECK, message, 'correct the source, and reload or restart the server');
  }
  const remedy = isCertificateFault(error) ? faultRemedies.certificate : 'check base_url and the network';
  return fail(CHECK, `${id} does not answer: ${reasonOf(error)}`, asRemedy(remedy));
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name === 'TimeoutError'
    ? `nothing arrived within ${SMALL_TIMEOUT_MS / 1_000} s`
    : (codeOfError(error) ?? messageOfError(error));

const failureIn = ({ status, text, headers }: SmallReply) => failureOfStatus(status, text, headers);

/** Reports whether a provider refuses its key, or the identity behind a secret of a cloud. */
export const isKeyRefused = (reply: SmallReply): boolean =>
  reply.status >= 400 && failureIn(reply).outcome === 'key-refused';

/** Returns the finding for a reply that refuses the key. */
export function refusedKeyFinding(provider: Provider, reply: SmallReply): Finding {
  const { fault = 'key_refused' } = failureIn(reply);
  const what = fault === 'clock_skew' ? 'refuses its key or the time of signatures' : 'refuses its key';
  const message = `${provider.id} ${what} with status ${reply.status}${quoteOf(provider, reply)}`;
  const isIdentity = provider.cloud !== null && fault === 'key_refused';
  return fail(CHECK, message, isIdentity ? remedyOfIdentity(provider) : remediesOfFaults[fault]);
}

/**
 * Returns the remedy for a refused identity. Its source has given a secret, so the identity lacks a
 * permission, or belongs to another tenant or account.
 */
function remedyOfIdentity({ cloud }: Provider): string {
  const { source } = cloud?.credential.state() ?? {};
  return `give the identity of the source ${source} the permission to call the model, or correct the source`;
}

/** Returns the finding for a call of a model that failed for another reason than the key. */
export function failedCallFinding(provider: Provider, model: string, reply: SmallReply): Finding {
  const message = `${provider.id} answers ${reply.status} to a call of ${model}${quoteOf(provider, reply)}`;
  return warn(CHECK, message, remedyOf(reply));
}

const remedyOf = (reply: SmallReply): string => {
  const { status } = reply;
  if (failureIn(reply).fault === 'out_of_credit') return remediesOfFaults.out_of_credit;
  if (status === 429) return "check the account's credit and limits at the provider";
  if (status === 501) return 'use a provider that offers this kind of call, or switch it on there';
  if (status >= 500) return 'try again later';
  return 'check that the account may use the model, and its name in the route';
};

/** Quotes the provider's own words, without the key. */
function quoteOf(provider: Provider, reply: SmallReply): string {
  const { error } = failureIn(reply);
  const message = error && redactUpstreamError(error, provider).message;
  return message ? ` (${message.replace(/\s+/g, ' ').slice(0, 200)})` : '';
}
