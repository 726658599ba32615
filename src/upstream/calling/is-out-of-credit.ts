import type { UpstreamError } from '../../base/errors/upstream-error.ts';

/** The codes and types of OpenAI, Anthropic, Moonshot and others for an account without credit. */
const CODES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
  'exceeded_current_quota_error',
  'insufficient_balance',
  'arrearage',
]);

/** The beginnings of messages without such a code. Errors quote clients in the middle of a message. */
const MESSAGES = new RegExp(
  [
    '^Your credit balance is too low',
    '^Insufficient (?:account )?balance',
    '^Your (?:newly created )?team .{0,80}(?:used all available credits|have any credits)',
    '^Model access is denied due to INVALID_PAYMENT_INSTRUMENT',
    '^This API method requires billing to be enabled',
  ].join('|'),
  'i',
);

/** OpenRouter's messages for a request that exceeds the rest of the credit. It still serves smaller ones. */
const TOO_LARGE = /fewer max_tokens.{0,80}can only afford [1-9]|^Prompt tokens limit exceeded/;

const hasCode = (code: string | null): boolean => code !== null && CODES.has(code.toLowerCase());

/** Reports whether a provider refuses calls because the operator's account has no credit left. */
export const isOutOfCredit = ({ status, type, code, message }: UpstreamError): boolean =>
  (status === null || (status >= 400 && status < 500)) &&
  !TOO_LARGE.test(message ?? '') &&
  (status === 402 || hasCode(code) || hasCode(type) || MESSAGES.test(message ?? ''));
