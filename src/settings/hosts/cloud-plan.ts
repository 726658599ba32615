import type { Environment } from '../../base/lib/environment.ts';

/** The settings of a cloud credential, with the variables that its sources read. */
export type CloudPlan = AwsPlan | AzurePlan | GooglePlan;

export type AwsSource = 'auto' | 'static' | 'web_identity' | 'profile' | 'container' | 'metadata';
export type AzureSource =
  | 'auto'
  | 'client_secret'
  | 'client_certificate'
  | 'workload_identity'
  | 'managed_identity';
export type GoogleSource = 'auto' | 'file' | 'metadata';

export type AwsPlan = {
  kind: 'aws';
  source: AwsSource;
  region: string;
  /** The name of the service in signatures. */
  service: string;
  profile: string | null;
  accessKeyId: string | null;
  secretAccessKey: string | null;
  sessionToken: string | null;
  assumeRole: { roleArn: string; externalId: string | null; sessionName: string; durationS: number } | null;
  environment: Environment;
};

export type AzurePlan = {
  kind: 'azure';
  source: AzureSource;
  tenantId: string | null;
  clientId: string | null;
  clientSecret: string | null;
  certificateFile: string | null;
  scope: string;
  environment: Environment;
};

export type GooglePlan = {
  kind: 'google';
  source: GoogleSource;
  project: string | null;
  region: string;
  credentialsFile: string | null;
  environment: Environment;
};
