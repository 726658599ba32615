import { join } from 'node:path';
import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { assumeRole, assumeRoleWithToken, SESSION_NAME } from './assume-role.ts';
import { type AwsFetched, fixedKeys, keysOfEnvironment } from './aws-fetched.ts';
import { fromAwsContainer } from './from-aws-container.ts';
import { fromAwsInstance } from './from-aws-instance.ts';
import { readIni } from './read-ini.ts';

type Profile = Readonly<Record<string, string>>;
type Profiles = ReadonlyMap<string, Profile>;

/** `role`: only a profile with a role. `keys`: only a profile with keys. */
type ProfileOptions = { now(): number; wants: 'role' | 'keys' };

const SOURCE = 'profile';
/** A profile can take its keys from another one. Longer chains count as loops. */
const MAX_CHAIN = 5;

/** Takes the credentials of a profile of the shared files, which the AWS tools write. */
export async function fromAwsProfile(
  plan: AwsPlan,
  { now, wants }: ProfileOptions,
): Promise<AwsFetched | undefined> {
  const profiles = await readProfiles(plan);
  const name = plan.profile ?? plan.environment.AWS_PROFILE ?? 'default';
  const profile = profiles.get(name);
  if (profile === undefined) {
    const isNamed = plan.profile !== null || plan.environment.AWS_PROFILE !== undefined;
    if (!isNamed && plan.source !== 'profile') return undefined;
    throw new CredentialFailure(SOURCE, `there is no profile ${name} in the shared files`);
  }
  if ((wants === 'role') !== (profile.role_arn !== undefined)) return undefined;
  return takeProfile(profile, { plan, profiles, now, depth: 0, name });
}

type Taking = { plan: AwsPlan; profiles: Profiles; now(): number; depth: number; name: string };

async function takeProfile(profile: Profile, taking: Taking): Promise<AwsFetched | undefined> {
  const { plan, now, name } = taking;
  const { role_arn: roleArn, web_identity_token_file: file } = profile;
  if (roleArn !== undefined) {
    const sessionName = profile.role_session_name ?? SESSION_NAME;
    if (file !== undefined) return assumeRoleWithToken({ plan, file, roleArn, sessionName });
    const base = await baseOf(profile, taking);
    const role = {
      roleArn,
      sessionName,
      externalId: profile.external_id ?? null,
      durationS: Number(profile.duration_seconds ?? '3600'),
    };
    return assumeRole(base, { plan, role, now });
  }
  const { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token } = profile;
  const keys = fixedKeys({ id, secret, token }, `${SOURCE} ${name}`);
  if (keys) return keys;
  if (profile.credential_process !== undefined)
    throw new CredentialFailure(SOURCE, `the profile ${name} has a credential_process, which is not run`);
  if (profile.sso_session !== undefined || profile.sso_start_url !== undefined)
    throw new CredentialFailure(SOURCE, `the profile ${name} uses single sign-on, which needs a person`);
  return undefined;
}

/** Returns the credentials with which a profile assumes its role. */
async function baseOf(profile: Profile, taking: Taking): Promise<AwsFetched> {
  const { plan, profiles, depth, name } = taking;
  const { source_profile: other, credential_source: kind } = profile;
  const fail = (reason: string): never => {
    throw new CredentialFailure(SOURCE, `the profile ${name} ${reason}`);
  };
  if (kind !== undefined) return (await fromKind(kind, plan)) ?? fail(`finds no ${kind} credentials`);
  const next = other === undefined ? undefined : profiles.get(other);
  if (next === undefined) return fail(`has a role_arn without a known source_profile or credential_source`);
  if (depth >= MAX_CHAIN) return fail('has too long a chain of source profiles');
  if (other === name) {
    const { role_arn: _, ...own } = next; // a profile may assume its role with its own keys
    return (await takeProfile(own, taking)) ?? fail('has no keys');
  }
  return (
    (await takeProfile(next, { ...taking, depth: depth + 1, name: other! })) ??
    fail(`finds no keys in ${other}`)
  );
}

/** Returns the credentials of a kind that `credential_source` names. */
async function fromKind(kind: string, plan: AwsPlan): Promise<AwsFetched | undefined> {
  if (kind === 'EcsContainer') return fromAwsContainer(plan);
  if (kind === 'Ec2InstanceMetadata') return fromAwsInstance(plan);
  return kind === 'Environment' ? keysOfEnvironment(plan) : undefined;
}

/** The credentials file overrides the configuration file, profile by profile. */
async function readProfiles({ environment }: AwsPlan): Promise<Profiles> {
  const home = environment.HOME;
  const usual = (name: string): string | undefined =>
    home === undefined ? undefined : join(home, '.aws', name);
  const [config, credentials] = await Promise.all([
    readIni(environment.AWS_CONFIG_FILE ?? usual('config')),
    readIni(environment.AWS_SHARED_CREDENTIALS_FILE ?? usual('credentials')),
  ]);
  const profiles = new Map<string, Profile>();
  for (const [name, fields] of config) profiles.set(name.replace(/^profile\s+(["']?)(.+)\1$/, '$2'), fields);
  for (const [name, fields] of credentials) profiles.set(name, { ...profiles.get(name), ...fields });
  return profiles;
}
