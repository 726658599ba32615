import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { cutBytes } from '../../base/lib/cut-bytes.ts';
import { escapeForRegExp } from '../../base/lib/escape-for-reg-exp.ts';
import { PLACEHOLDER, redactText } from '../../base/lib/redact-text.ts';
import type { Provider } from '../../settings/hosts/providers.ts';

/** The longest message that is kept, in bytes. */
const MAX_MESSAGE_BYTES = 1_500;
/** The longest value of each of the four other texts, in bytes. All five are at most 1,980 bytes long. */
const MAX_FIELD_BYTES = 120;
/** The length from which a value is a secret. A shorter value could be part of any word. */
const MIN_SECRET = 8;

/** Matches the beginnings of vendors' keys, also of keys that the vendor has cut or masked. */
const VENDOR_KEYS = /\b(?:sk-|gsk_|xai-|AIza|AKIA|ASIA)[\w*.…-]*[\w*]/g;

/** Matches a scheme and its credentials, such as `Bearer corp-token`. */
const CREDENTIALS = /^\s*\S+\s+(\S+)\s*$/;

/** Removes the operator's keys from an upstream's error, and cuts its texts to 1,980 bytes in all. */
export function redactUpstreamError(error: UpstreamError, provider: Provider): UpstreamError {
  const redact = (text: string | null, maxBytes: number): string | null =>
    text === null ? null : cutBytes(withoutKeys(text, provider).replace(VENDOR_KEYS, PLACEHOLDER), maxBytes);
  return {
    status: error.status,
    type: redact(error.type, MAX_FIELD_BYTES),
    code: redact(error.code, MAX_FIELD_BYTES),
    message: redact(error.message, MAX_MESSAGE_BYTES),
    requestId: redact(error.requestId, MAX_FIELD_BYTES),
    param: redact(error.param, MAX_FIELD_BYTES),
  };
}

/** Removes the operator's keys, and everything that looks like a key. */
export const withoutKeys = (text: string, provider: Provider): string =>
  redactText(secretsIn(provider).reduce((redacted, secret) => redacted.replace(secret, PLACEHOLDER), text));

/**
 * Matches the operator's keys, also those that the vendor has cut or masked after some characters, and the
 * headers of the row. A vendor can repeat the credentials of a header without their scheme.
 */
function secretsIn({ apiKey, cloud, headers }: Provider): RegExp[] {
  const keys = [apiKey, ...(cloud?.credential.secrets() ?? [])].filter(isSecret);
  const headerValues = Object.values(headers ?? {})
    .flatMap((value) => [value, CREDENTIALS.exec(value)?.[1]])
    .filter(isSecret);
  return [...[...keys, ...headerValues].map(exactly), ...keys.map(cutOrMasked)];
}

const isSecret = (value: unknown): value is string => typeof value === 'string' && value.length >= MIN_SECRET;

const exactly = (secret: string): RegExp => new RegExp(escapeForRegExp(secret), 'g');

const cutOrMasked = (secret: string): RegExp =>
  new RegExp(`${escapeForRegExp(secret.slice(0, MIN_SECRET))}[\\w*.…-]*`, 'g');
