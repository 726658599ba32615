import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import type { KeyChange } from '../../money/accounts/accounts.ts';
import type { KeyLimits } from '../../money/accounts/api-key.ts';
import type { keyBody } from './account-bodies.ts';
import { withTrimmedTexts } from './name-texts.ts';
import { expiryOf } from './token-bodies.ts';

type KeyBody = Static<typeof keyBody.schema>;

/** The change of a key that a checked body asks for. */
export function keyFieldsOf(body: KeyBody): KeyChange | Refusal {
  const { monthly_cap_usd, allowed_models, limits, expires_at, ...asTheyAre } = body;
  const expiresAt = expires_at === undefined ? undefined : expiryOf(expires_at);
  if (expiresAt instanceof Refusal) return expiresAt;
  return {
    ...withTrimmedTexts(asTheyAre),
    ...(monthly_cap_usd !== undefined && { monthlyCapUsd: monthly_cap_usd }),
    ...(allowed_models !== undefined && { allowedModels: allowed_models }),
    ...(limits !== undefined && { limits: limits && limitsOf(limits) }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** Limits without a figure are no limits. */
function limitsOf(limits: NonNullable<KeyBody['limits']>): KeyLimits | null {
  const { requests_per_min = null, tokens_per_min = null, concurrent = null } = limits;
  if (requests_per_min === null && tokens_per_min === null && concurrent === null) return null;
  return { requestsPerMin: requests_per_min, tokensPerMin: tokens_per_min, concurrent };
}
