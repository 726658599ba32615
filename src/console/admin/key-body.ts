import type { Static } from 'typebox';
import { definedOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { KeyChange } from '../../money/accounts/accounts.ts';
import { type KeyLimits, retriesChoices } from '../../money/accounts/api-key.ts';
import { MAX_TAGS, TAG_LENGTH, TAG_PATTERN } from '../../money/accounts/key-tags.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { closed } from '../routes/closed.ts';
import { NAME, withTrimmedTexts } from '../routes/name-texts.ts';
import { expiresAtField, secretExpiry } from './secret-fields.ts';

const limit = Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })));

/** The body that creates or changes an API key. */
export const keyBody = Type.Partial(
  Type.Object({
    name: orNull(Type.String(NAME)),
    payg: Type.Boolean(),
    monthly_cap_usd: orNull(Type.Number({ minimum: 0, maximum: MAX_USD })),
    allowed_models: orNull(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 1_000 }),
    ),
    limits: orNull(
      Type.Object({ requests_per_min: limit, tokens_per_min: limit, concurrent: limit }, closed),
    ),
    person_id: orNull(Type.String({ minLength: 1, maxLength: 200 })),
    tags: orNull(
      Type.Array(
        Type.String({ maxLength: TAG_LENGTH, pattern: TAG_PATTERN, expected: 'a tag without commas' }),
        {
          maxItems: MAX_TAGS,
        },
      ),
    ),
    retries: Type.Enum([...retriesChoices]),
    resumable: Type.Boolean(),
    expires_at: expiresAtField(),
  }),
  closed,
);
export type KeyBody = Static<typeof keyBody>;

/** Returns the change of a key that a body asks for. Fields that the body omits stay omitted. */
export function keyChangeOf({
  monthly_cap_usd,
  allowed_models,
  limits,
  person_id,
  tags,
  expires_at,
  ...body
}: KeyBody): KeyChange {
  return {
    ...withTrimmedTexts(body),
    ...definedOf({
      monthlyCapUsd: monthly_cap_usd,
      allowedModels: allowed_models,
      limits: limits && limitsOf(limits),
      personId: person_id,
      tags: tags && (tags.length > 0 ? [...new Set(tags)] : null),
      expiresAt: expires_at === undefined ? undefined : secretExpiry(expires_at),
    }),
  };
}

/** Limits without a figure are no limits. */
function limitsOf(limits: NonNullable<KeyBody['limits']>): KeyLimits | null {
  const { requests_per_min = null, tokens_per_min = null, concurrent = null } = limits;
  if (requests_per_min === null && tokens_per_min === null && concurrent === null) return null;
  return { requestsPerMin: requests_per_min, tokensPerMin: tokens_per_min, concurrent };
}
