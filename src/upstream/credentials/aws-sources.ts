import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { assumeRole, assumeRoleWithToken, SESSION_NAME } from './assume-role.ts';
import { type AwsFetched, fixedKeys, keysOfEnvironment } from './aws-fetched.ts';
import type { FetchSecret } from './fetched-secret.ts';
import { fromAwsContainer } from './from-aws-container.ts';
import { fromAwsInstance } from './from-aws-instance.ts';
import { fromAwsProfile } from './from-aws-profile.ts';
import { lastSource } from './last-source.ts';

/** Returns credentials, or undefined if the source is not set up. */
type Source = (plan: AwsPlan, now: () => number) => Promise<AwsFetched | undefined>;

const sources = {
  settings: async ({ accessKeyId, secretAccessKey, sessionToken }) =>
    fixedKeys({ id: accessKeyId, secret: secretAccessKey, token: sessionToken }, 'static'),
  environment: async (plan) => (plan.profile === null ? keysOfEnvironment(plan) : undefined),
  profile_role: (plan, now) => fromAwsProfile(plan, { now, wants: 'role' }),
  web_identity: fromWebIdentity,
  profile: (plan, now) => fromAwsProfile(plan, { now, wants: 'keys' }),
  container: fromAwsContainer,
  metadata: fromAwsInstance,
} satisfies Record<string, Source>;

type Step = keyof typeof sources;

/**
 * The sources in the order of botocore. A profile that the settings name excludes the keys and the role of
 * the environment.
 */
const AUTO_STEPS: readonly Step[] = [
  'settings',
  'environment',
  'profile_role',
  'web_identity',
  'profile',
  'container',
  'metadata',
];

const stepsBySource: Readonly<Record<AwsPlan['source'], readonly Step[]>> = {
  auto: AUTO_STEPS,
  static: ['settings', 'environment'],
  web_identity: ['web_identity'],
  profile: ['profile_role', 'profile'],
  container: ['container'],
  metadata: ['metadata'],
};

/** The settings that set up each source. */
const hints: Readonly<Record<AwsPlan['source'], string>> = {
  auto: 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  static: 'set access_key_id and secret_access_key of aws, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  web_identity: 'set AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN',
  profile: 'the profile has neither keys nor a role',
  container: 'set AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI',
  metadata: 'unset AWS_EC2_METADATA_DISABLED',
};

const STATIC_WITH_PROFILE_HINT =
  'set access_key_id and secret_access_key of aws, or remove its profile, which excludes the variables';

/** Fetches AWS credentials, and assumes the role of the settings with them. `now` dates signatures. */
export function awsSources(plan: AwsPlan, now: () => number): FetchSecret {
  return async () => {
    const base = await firstOf(plan, now);
    const fetched = plan.assumeRole ? await assumeRole(base, { plan, role: plan.assumeRole, now }) : base;
    return {
      secret: { kind: 'keys', keys: fetched.keys },
      source: fetched.source,
      expiresAt: fetched.expiresAt,
    };
  };
}

async function firstOf(plan: AwsPlan, now: () => number): Promise<AwsFetched> {
  const isAuto = plan.source === 'auto';
  for (const step of stepsBySource[plan.source]) {
    if (isAuto && step === 'web_identity' && plan.profile !== null) continue;
    const fetching = sources[step](plan, now);
    const isLast = isAuto && step === 'metadata';
    const fetched = await (isLast ? lastSource(fetching, hints.auto) : fetching);
    if (fetched) return fetched;
  }
  const isExcluded = plan.source === 'static' && plan.profile !== null;
  const hint = isExcluded ? STATIC_WITH_PROFILE_HINT : hints[plan.source];
  throw new CredentialFailure(plan.source, `it is not set up: ${hint}`);
}

/** Assumes the role that the environment names, as pods of EKS do. */
async function fromWebIdentity(plan: AwsPlan): Promise<AwsFetched | undefined> {
  const {
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ROLE_ARN: roleArn,
    AWS_ROLE_SESSION_NAME: sessionName = SESSION_NAME,
  } = plan.environment;
  if (file === undefined || roleArn === undefined) return undefined;
  return assumeRoleWithToken({ plan, file, roleArn, sessionName });
}
