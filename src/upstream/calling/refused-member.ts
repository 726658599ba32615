import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { RefusedPreference } from '../../translation/canonical/refused-word.ts';
import { preferenceOf } from './refusable-members.ts';
import { refusalPatterns } from './refusal-patterns.ts';
import { unwrapMessage } from './unwrap-message.ts';

/** Matches the refusal of two members of which only one may be sent. */
const NOT_BOTH = /^`?temperature`? and `?top_p`? cannot both be specified/i;
/** Matches the refusal of a value, which refuses the member only if no value but the default is left. */
const VALUE_REFUSED = /^unsupported value/i;
const ONLY_DEFAULT = /only the default|does not support .{1,60}with this model\. only/i;
const REFUSAL_CODES = new Set<string | null>([
  'unsupported_parameter',
  'unknown_parameter',
  'unrecognized_parameter',
]);

/**
 * Returns the preference that an upstream's 400 or 422 refuses. Returns undefined if the error refuses
 * something else, for example the member's value.
 */
export function refusedMember({
  status,
  code,
  message,
  param,
}: UpstreamError): RefusedPreference | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const text = unwrapMessage(message ?? '');
  if (VALUE_REFUSED.test(text) && !ONLY_DEFAULT.test(text)) return undefined;
  if (NOT_BOTH.test(text)) return 'top_p_with_temperature';
  const memberInText = refusalPatterns
    .map((pattern) => pattern.exec(text)?.groups?.['member'])
    .find((member) => member !== undefined);
  const refusedInText = memberInText === undefined ? undefined : preferenceOf(memberInText);
  if (param === null) return refusedInText;
  const preference = preferenceOf(param);
  return REFUSAL_CODES.has(code) || preference === refusedInText ? preference : undefined;
}
