import type { Environment } from '../../base/lib/environment.ts';
import { regionOfHost } from '../../base/lib/region-of-host.ts';
import type { ProviderRow } from '../config/provider-schema.ts';
import { cloudEnvironment } from './cloud-environment.ts';
import type { AwsPlan, AzurePlan, CloudPlan, GooglePlan } from './cloud-plan.ts';

/** Returns the cloud credential of a row. Returns null if the row has a key, or no credential. */
export function planOfRow(row: ProviderRow, environment: Environment): CloudPlan | null {
  const variables = cloudEnvironment(environment);
  if (row.aws) return awsPlan(row, variables);
  if (row.azure) return azurePlan(row.azure, variables);
  return row.google ? googlePlan(row.google, variables) : null;
}

/** The configuration check ensures that a row has a region. */
function awsPlan({ aws, base_url }: ProviderRow, environment: Environment): AwsPlan | null {
  const host = base_url === null ? '' : new URL(base_url).hostname;
  const region = aws && (aws.region ?? regionOfHost(host));
  if (!aws || !region) return null;
  return {
    kind: 'aws',
    region,
    environment,
    source: aws.source,
    service: aws.service,
    profile: aws.profile,
    accessKeyId: aws.access_key_id,
    secretAccessKey: aws.secret_access_key,
    sessionToken: aws.session_token,
    assumeRole: aws.assume_role && {
      roleArn: aws.assume_role.role_arn,
      externalId: aws.assume_role.external_id,
      sessionName: aws.assume_role.session_name,
      durationS: aws.assume_role.duration_s,
    },
  };
}

const azurePlan = (row: NonNullable<ProviderRow['azure']>, environment: Environment): AzurePlan => ({
  kind: 'azure',
  source: row.source,
  scope: row.scope,
  environment,
  tenantId: row.tenant_id ?? environment.AZURE_TENANT_ID ?? null,
  clientId: row.client_id ?? environment.AZURE_CLIENT_ID ?? null,
  clientSecret: row.client_secret ?? environment.AZURE_CLIENT_SECRET ?? null,
  certificateFile: row.certificate_file ?? environment.AZURE_CLIENT_CERTIFICATE_PATH ?? null,
});

const googlePlan = (row: NonNullable<ProviderRow['google']>, environment: Environment): GooglePlan => ({
  kind: 'google',
  source: row.source,
  region: row.region,
  environment,
  project: row.project ?? environment.GOOGLE_CLOUD_PROJECT ?? null,
  credentialsFile: row.credentials_file,
});
