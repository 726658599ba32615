import { Type } from '../../base/schema/type.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, row } from './schema-parts.ts';

const text = (description: string) => nullable(Type.String({ minLength: 1 }), { description });
const secret = (description: string) =>
  nullable(Type.String({ ...namePatterns.secret, minLength: 1 }), { description });

const AssumeRoleSchema = row(
  {
    role_arn: Type.String({
      pattern: '^arn:[^\\s]{10,2040}$',
      expected: 'the ARN of a role',
      description: 'ARN of the role.',
    }),
    external_id: text('External id that the trust policy of the role requires.'),
    session_name: Type.String({
      pattern: '^[\\w+=,.@-]{2,64}$',
      expected: '2 to 64 letters, digits and +=,.@-',
      default: 'tollgate',
      description: 'Session name that AWS logs for the role.',
    }),
    duration_s: Type.Integer({
      minimum: 900,
      maximum: 43_200,
      default: 3_600,
      description: 'Seconds for which the credentials of the role are valid.',
    }),
  },
  { description: 'The role that the credentials assume.' },
);

export const AwsSchema = row(
  {
    source: choice(['auto', 'static', 'web_identity', 'profile', 'container', 'metadata'], {
      default: 'auto',
      description:
        'Source of the credentials. auto: the first source that is set up, in the order of the AWS SDKs.',
    }),
    region: nullable(Type.String(namePatterns.awsRegion), {
      description: 'AWS region of the models, for example eu-west-1. `null` means the region in base_url.',
    }),
    service: Type.String({
      pattern: '^[a-z0-9-]{1,40}$',
      expected: 'lowercase letters, digits and hyphens',
      default: 'bedrock',
      description: 'Name of the service in signatures.',
    }),
    profile: text('Profile of the shared configuration files. `null` means AWS_PROFILE, or default.'),
    access_key_id: secret('Access key id.'),
    secret_access_key: secret('Secret access key. Take it from an environment variable.'),
    session_token: secret('Session token of temporary credentials.'),
    assume_role: nullable(AssumeRoleSchema, {
      description: 'Role that the credentials assume. `null` means none.',
    }),
  },
  { description: 'AWS credentials.' },
);

export const AzureSchema = row(
  {
    source: choice(['auto', 'client_secret', 'client_certificate', 'workload_identity', 'managed_identity'], {
      default: 'auto',
      description: 'Source of the tokens. auto: the first source that is set up, in this order.',
    }),
    tenant_id: text('Tenant of Entra ID. `null` means AZURE_TENANT_ID.'),
    client_id: text(
      'Client id of the application or of the user-assigned identity. `null` means AZURE_CLIENT_ID.',
    ),
    client_secret: secret('Secret of the application. `null` means AZURE_CLIENT_SECRET.'),
    certificate_file: text(
      'PEM file with the certificate and the private key of the application. `null` means AZURE_CLIENT_CERTIFICATE_PATH.',
    ),
    scope: Type.String({
      minLength: 1,
      default: 'https://cognitiveservices.azure.com/.default',
      description: 'Scope of the tokens.',
    }),
  },
  { description: 'Credentials of Microsoft Entra ID.' },
);

export const GoogleSchema = row(
  {
    source: choice(['auto', 'file', 'metadata'], {
      default: 'auto',
      description: 'Source of the tokens. auto: application default credentials.',
    }),
    project: nullable(Type.String(namePatterns.googleProject), {
      description:
        'Project of Google Cloud. `null` means GOOGLE_CLOUD_PROJECT, or the project of the credentials.',
    }),
    region: Type.String({
      ...namePatterns.googleRegion,
      default: 'global',
      description: 'Region of the models, or global.',
    }),
    credentials_file: text(
      'Credentials file of a service account, a user or a workload identity federation. `null` means GOOGLE_APPLICATION_CREDENTIALS.',
    ),
  },
  { description: 'Credentials of Google Cloud.' },
);
