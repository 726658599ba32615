import { codeOfError } from '../../base/lib/error-code.ts';
import type { HeaderReader } from '../../base/lib/header-reader.ts';
import { hostTime } from './host-time.ts';

/** Causes of failed calls that only an operator can end. */
export type FaultCause = 'key_refused' | 'out_of_credit' | 'clock_skew' | 'certificate';

/** A fault of a provider that only an operator can end. */
export type ProviderFault = {
  cause: FaultCause;
  since: number;
  latestAt: number;
  /** The provider's name for the model of the latest call. `null` means that the call had no model. */
  model: string | null;
  status: number | null;
  /** The provider's own words. */
  message: string | null;
  /** True if operators are alerted. A single refusal may concern one model, or be a moment of bad luck. */
  isAlarming: boolean;
};

/** The step that ends failures because of a wrong clock. */
export const CLOCK_REMEDY =
  "Synchronize the clock of this machine, for example with NTP. If it is right, the provider's clock or its key is wrong.";

/** The step that ends a fault. */
export const faultRemedies: Readonly<Record<FaultCause, string>> = {
  key_refused:
    "Replace the provider's key. A key in a file takes effect with a reload, and one in a variable with a restart.",
  out_of_credit: 'Buy credit for the account at the provider, or raise its limit of spending.',
  clock_skew: CLOCK_REMEDY,
  certificate:
    'Renew an expired certificate of the host, or correct base_url if it has another name than the certificate. NODE_EXTRA_CA_CERTS names the authority of a host of your own.',
};

const CERTIFICATE_CODES = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:VERIFY|GET)_)/;

/** Reports whether a connection failed because of the host's certificate. */
export const isCertificateFault = (error: unknown): boolean =>
  CERTIFICATE_CODES.test(codeOfError(error) ?? '');

const SKEWED = /Signature (?:expired|not yet current)|RequestExpired|RequestTimeTooSkewed/i;
/** Vendors accept signatures of this age. */
const MAX_SKEW_MS = 5 * 60_000;

/**
 * Returns the cause of a refused credential. A signature with a wrong time is refused like one with a wrong
 * key.
 */
export const causeOfRefusal = (body: string, headers: HeaderReader): FaultCause =>
  SKEWED.test(body) || Math.abs(skewOf(headers) ?? 0) > MAX_SKEW_MS ? 'clock_skew' : 'key_refused';

/**
 * Returns by how much the host's clock is ahead of this machine's, in milliseconds. Returns undefined if the
 * host does not say.
 */
export function skewOf(headers: HeaderReader): number | undefined {
  const time = hostTime(headers);
  return time === undefined ? undefined : time - Date.now();
}
