import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { type ApiKey, type KeyLimits, retriesChoices } from '../../money/accounts/api-key.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();
const keyFields = {
  id: text,
  account_id: text,
  name: orNull(text),
  hint: Type.String({ description: 'The first characters of the key.' }),
  payg: Type.Boolean({
    description: 'The key uses pay-as-you-go mode unless the request header says otherwise.',
  }),
  monthly_cap_usd: orNull(Type.Number(), '`null` means no cap.'),
  allowed_models: orNull(Type.Array(text), '`null` means all models.'),
  limits: orNull(
    Type.Object({
      requests_per_min: orNull(Type.Integer()),
      tokens_per_min: orNull(Type.Integer()),
      concurrent: orNull(Type.Integer()),
    }),
    "Limits of the key, in addition to the plan's. `null` means that the key has none.",
  ),
  person_id: orNull(text, 'The member that the key belongs to. `null` means nobody.'),
  tags: Type.Array(text, { description: 'The tags of its requests.' }),
  retries: Type.Enum([...retriesChoices], {
    description:
      '`keyed`: a request with the same `Idempotency-Key` gets the answer of the first one. `join`: retries of SDKs join too.',
  }),
  resumable: Type.Boolean({ description: 'Streams can be read again from where they broke.' }),
  created_at: time,
  expires_at: orNull(time, 'From this time on the key is refused. `null` means that it does not expire.'),
  previous_secret_ends_at: orNull(
    time,
    'The end of the overlap of the latest rotation. `null` means that there was none.',
  ),
  revoked_at: orNull(time, '`null` means that the key is not revoked.'),
  last_used_at: orNull(time, '`null` means that no request has used the key.'),
};
/** An API key without its secret. */
export const key = Type.Object(keyFields, { title: 'API Key' });
/** An API key with its secret. */
export const newKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The full key, shown only in this answer.' }) },
  { title: 'New API Key' },
);

export type KeyView = ViewOf<typeof key>;

const limitsView = ({ requestsPerMin, tokensPerMin, concurrent }: KeyLimits) => ({
  requests_per_min: requestsPerMin,
  tokens_per_min: tokensPerMin,
  concurrent,
});

/** The key as the admin API shows it, without its hashes. */
export const keyView = (apiKey: ApiKey, lastUsedAt: number | null = null): KeyView => ({
  id: apiKey.id,
  account_id: apiKey.accountId,
  name: apiKey.name,
  hint: apiKey.hint,
  payg: apiKey.payg,
  monthly_cap_usd: apiKey.monthlyCapUsd,
  allowed_models: apiKey.allowedModels,
  limits: apiKey.limits && limitsView(apiKey.limits),
  person_id: apiKey.personId,
  tags: apiKey.tags ?? [],
  retries: apiKey.retries,
  resumable: apiKey.resumable,
  created_at: isoTime(apiKey.createdAt),
  expires_at: isoTimeOrNull(apiKey.expiresAt),
  previous_secret_ends_at: isoTimeOrNull(apiKey.previous?.endsAt ?? null),
  revoked_at: isoTimeOrNull(apiKey.revokedAt),
  last_used_at: isoTimeOrNull(lastUsedAt),
});
