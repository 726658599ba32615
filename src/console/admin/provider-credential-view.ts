import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { CloudPlan } from '../../settings/hosts/cloud-plan.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ViewOf } from '../routes/typed-route.ts';

/** A key is not renewed. */
const NO_RENEWAL = { source: null, expires_at: null, refreshed_at: null, error: null };
const HINT_CHARACTERS = 4;
/** The shortest key of which a part is shown. A part would reveal too much of a shorter key. */
const MIN_HINTED = 16;

const text = Type.String();

/** The credential of the calls to a provider, without its secrets. */
export const providerCredential = orNull(
  Type.Object({
    kind: Type.Enum(['api_key', 'aws', 'azure', 'google']),
    hint: orNull(text, 'The last four characters of the key, or of the id of the identity.'),
    set_at: orNull(time, 'The time at which a stored credential was set.'),
    source: orNull(text, 'The source of the secret, or the source that failed last.'),
    expires_at: orNull(time, 'The time at which the secret expires.'),
    refreshed_at: orNull(time, 'The time of the latest renewal.'),
    error: orNull(text, 'The reason why the latest renewal failed.'),
  }),
  'The credential of the calls to the provider. `null` means that the calls have none.',
);

/**
 * Shows the credential with which the provider is called. A hint has the last characters of a key, or of the
 * name of an identity.
 */
export function providerCredentialView({
  apiKey,
  cloud,
  stored,
}: Provider): ViewOf<typeof providerCredential> {
  const set_at = isoTimeOrNull(stored?.credentialSetAt ?? null);
  if (cloud === null)
    return apiKey === null ? null : { ...NO_RENEWAL, kind: 'api_key', hint: hintOfKey(apiKey), set_at };
  const { source, expiresAt, refreshedAt, error } = cloud.credential.state();
  return {
    kind: cloud.plan.kind,
    hint: hintOfPlan(cloud.plan),
    set_at,
    source,
    error,
    expires_at: isoTimeOrNull(expiresAt),
    refreshed_at: isoTimeOrNull(refreshedAt),
  };
}

const hintOfKey = (key: string): string | null =>
  key.length < MIN_HINTED ? null : key.slice(-HINT_CHARACTERS);

function hintOfPlan(plan: CloudPlan): string | null {
  if (plan.kind === 'google') return null;
  return hintOfKey((plan.kind === 'azure' ? plan.clientId : plan.accessKeyId) ?? '');
}
