import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { ApiKey, KeyLimits } from '../../money/accounts/api-key.ts';

const limitsView = ({ requestsPerMin, tokensPerMin, concurrent }: KeyLimits) => ({
  requests_per_min: requestsPerMin,
  tokens_per_min: tokensPerMin,
  concurrent,
});

/** The key as the admin API shows it, without its hashes. */
export const keyView = (key: ApiKey, lastUsedAt: number | null = null) => ({
  id: key.id,
  account_id: key.accountId,
  name: key.name,
  hint: key.hint,
  payg: key.payg,
  monthly_cap_usd: key.monthlyCapUsd,
  allowed_models: key.allowedModels,
  limits: key.limits && limitsView(key.limits),
  created_at: isoTime(key.createdAt),
  expires_at: isoTimeOrNull(key.expiresAt),
  previous_secret_ends_at: isoTimeOrNull(key.previous?.endsAt ?? null),
  revoked_at: isoTimeOrNull(key.revokedAt),
  last_used_at: isoTimeOrNull(lastUsedAt),
});
