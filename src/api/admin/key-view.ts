import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';

/** The key as the admin API shows it, without its hash. */
export const keyView = (key: ApiKey) => ({
  id: key.id,
  account_id: key.accountId,
  name: key.name,
  hint: key.hint,
  payg: key.payg,
  monthly_cap_usd: key.monthlyCapUsd,
  allowed_models: key.allowedModels,
  created_at: isoTime(key.createdAt),
  revoked_at: isoTimeOrNull(key.revokedAt),
});
