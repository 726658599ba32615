import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { cutBytes } from '../../base/lib/cut-bytes.ts';
import { PLACEHOLDER, redactText } from '../../base/lib/redact-text.ts';
import type { Provider } from '../../settings/hosts/providers.ts';

/** The longest message that is kept, in bytes. */
const MAX_BYTES = 1_500;
/** The longest value of any other member, in characters. Together they stay below 2 KB. */
const MAX_OF_OTHERS = 120;
/** A shorter value is no secret, and could be part of any word. */
const MIN_SECRET = 8;

/** Beginnings of vendors' keys, also of keys that the vendor has cut or masked. */
const CUT_KEYS = /\b(?:sk-|gsk_|xai-|AIza|AKIA|ASIA)[\w*.…-]*[\w*]/g;

/** Removes the operator's keys from an upstream's error, and cuts it to 2 KB. */
export function redactUpstreamError(error: UpstreamError, provider: Provider): UpstreamError {
  const clean = (text: string | null): string | null =>
    text === null ? null : withoutKeys(text, provider).replace(CUT_KEYS, PLACEHOLDER);
  const short = (text: string | null): string | null => clean(text)?.slice(0, MAX_OF_OTHERS) ?? null;
  const message = clean(error.message);
  return {
    status: error.status,
    type: short(error.type),
    code: short(error.code),
    message: message === null ? null : cutBytes(message, MAX_BYTES),
    requestId: short(error.requestId),
    param: short(error.param),
  };
}

/** Removes the operator's keys, and everything that looks like a key. */
export const withoutKeys = (text: string, provider: Provider): string =>
  redactText(secretsIn(provider).reduce((rest, secret) => rest.replace(secret, PLACEHOLDER), text));

/**
 * Matches the operator's keys, also those that the vendor has cut or masked after some
 * characters, and the headers of the row.
 */
function secretsIn({ apiKey, cloud, headers }: Provider): RegExp[] {
  const isSecret = (value: unknown): value is string =>
    typeof value === 'string' && value.length >= MIN_SECRET;
  const keys = [apiKey, ...(cloud?.credential.secrets() ?? [])].filter(isSecret);
  return [
    ...[...keys, ...Object.values(headers ?? {}).filter(isSecret)].map(
      (value) => new RegExp(escaped(value), 'g'),
    ),
    ...keys.map((value) => new RegExp(`${escaped(value.slice(0, MIN_SECRET))}[\\w*.…-]*`, 'g')),
  ];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
