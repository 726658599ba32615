import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { signAws } from '../calling/sign-aws.ts';
import { askTokenService } from './ask-token-service.ts';
import type { AwsFetched } from './aws-fetched.ts';
import { readSecretFile } from './read-secret-file.ts';

/** The name of a session that no setting names. */
export const SESSION_NAME = 'tollgate';

const VERSION = '2011-06-15';
const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

const addressOf = ({ environment, region }: AwsPlan): string =>
  environment.AWS_ENDPOINT_URL_STS ??
  `https://sts.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}/`;

type Role = { plan: AwsPlan; role: NonNullable<AwsPlan['assumeRole']>; now(): number };

/** Assumes a role with other credentials (STS AssumeRole). */
export async function assumeRole(base: AwsFetched, { plan, role, now }: Role): Promise<AwsFetched> {
  const source = `${base.source}, assume_role`;
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: VERSION,
    RoleArn: role.roleArn,
    RoleSessionName: role.sessionName,
    DurationSeconds: String(role.durationS),
    ...(role.externalId !== null && { ExternalId: role.externalId }),
  }).toString();
  const url = URL.parse(addressOf(plan));
  if (url === null) throw new CredentialFailure(source, 'AWS_ENDPOINT_URL_STS is not a URL');
  const headers = signAws(
    { method: 'POST', url, headers: { 'content-type': FORM }, body },
    { credentials: base.keys, region: plan.region, service: 'sts', now: new Date(now()) },
  );
  return readAnswer(await askTokenService({ source, url: url.href, method: 'POST', headers, body }), source);
}

type WebIdentity = { plan: AwsPlan; file: string; roleArn: string; sessionName: string };

/**
 * Assumes a role with the token of another identity provider (STS AssumeRoleWithWebIdentity), which needs no
 * signature.
 */
export async function assumeRoleWithToken({
  plan,
  file,
  roleArn,
  sessionName,
}: WebIdentity): Promise<AwsFetched> {
  const source = 'web_identity';
  const token = (await readSecretFile(file, source)).trim();
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: VERSION,
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    WebIdentityToken: token,
  }).toString();
  const headers = { 'content-type': FORM };
  return readAnswer(
    await askTokenService({ source, url: addressOf(plan), method: 'POST', headers, body }),
    source,
  );
}

/** The answer is XML. The values have no characters that XML escapes, except in tokens, where none occur. */
function readAnswer(xml: string, source: string): AwsFetched {
  const inner = /<Credentials>([\s\S]*?)<\/Credentials>/.exec(xml)?.[1] ?? '';
  const textOf = (name: string): string => {
    const found = new RegExp(`<${name}>\\s*([^<]+?)\\s*</${name}>`).exec(inner)?.[1];
    if (found === undefined) throw new CredentialFailure(source, `the token service gave no ${name}`);
    return found;
  };
  const expiresAt = Date.parse(textOf('Expiration'));
  if (Number.isNaN(expiresAt)) throw new CredentialFailure(source, 'Expiration is not a time');
  return {
    keys: {
      accessKeyId: textOf('AccessKeyId'),
      secretAccessKey: textOf('SecretAccessKey'),
      sessionToken: textOf('SessionToken'),
    },
    source,
    expiresAt,
  };
}
