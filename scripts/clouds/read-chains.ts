import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsPlan } from '../../src/settings/hosts/cloud-plan.ts';
import { awsSources } from '../../src/upstream/credentials/aws-sources.ts';

type Environment = Record<string, string>;

const SHARED_CREDENTIALS = `[default]
aws_access_key_id = AKIDDEFAULT
aws_secret_access_key = one
[other]
aws_access_key_id = AKIDOTHER
aws_secret_access_key = two
`;
const CONFIG = `[profile only-in-config]
aws_access_key_id = AKIDCONFIG
aws_secret_access_key = three
`;
const OWN_KEYS = { AWS_ACCESS_KEY_ID: 'AKIDENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'four' };

/** Writes the files of AWS into a folder, and returns the variables that name them. */
function writeFiles(folder: string): Environment {
  const credentials = join(folder, 'credentials');
  const config = join(folder, 'config');
  writeFileSync(credentials, SHARED_CREDENTIALS);
  writeFileSync(config, CONFIG);
  return {
    AWS_SHARED_CREDENTIALS_FILE: credentials,
    AWS_CONFIG_FILE: config,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

const planIn = (environment: Environment): AwsPlan => ({
  kind: 'aws',
  source: 'auto',
  region: 'eu-west-1',
  service: 'bedrock',
  profile: null,
  accessKeyId: null,
  secretAccessKey: null,
  sessionToken: null,
  assumeRole: null,
  environment,
});

/** Returns the id of the key that the gateway finds in each environment. The files stay for comparison. */
export function readChains(now: Date) {
  const files = writeFiles(mkdtempSync(join(tmpdir(), 'tollgate-clouds-')));
  const environments: Environment[] = [
    files,
    { ...files, AWS_PROFILE: 'other' },
    { ...files, AWS_PROFILE: 'only-in-config' },
    { ...files, ...OWN_KEYS },
    { ...files, ...OWN_KEYS, AWS_PROFILE: 'other' },
  ];
  return Promise.all(
    environments.map(async (environment) => {
      const { secret } = await awsSources(planIn(environment), () => now.getTime())();
      return { environment, id: secret.kind === 'keys' ? secret.keys.accessKeyId : null };
    }),
  );
}
