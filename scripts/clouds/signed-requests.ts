import { signAws } from '../../src/upstream/calling/sign-aws.ts';

export const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'a/secret+key',
  sessionToken: 'a session',
};

const bedrock = 'https://bedrock-runtime.eu-west-1.amazonaws.com';
const profile = 'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.a.model-v1:0';
const samples: [service: string, url: string, body: string][] = [
  ['bedrock', `${bedrock}/model/a.model-v1%3A0/converse`, '{"a":"ü"}'],
  ['bedrock', `${bedrock}/model/a.model-v1:0/converse-stream`, '{}'],
  ['bedrock', `${bedrock}/model/${encodeURIComponent(profile)}/converse`, '{}'],
  ['bedrock', `${bedrock}/model/${encodeURIComponent("it's (a) *model*!~ü")}/converse`, '{}'],
  ['bedrock', `${bedrock}/openai/v1/chat/completions`, '{}'],
  ['bedrock', `${bedrock}/openai/v1/responses?b=2&a=1&a=0&c=`, '{}'],
  ['bedrock', `${bedrock}/openai/v1/chat/completions?one=a%20b&two=%2F%3A%3D&three=%C3%BC&f=~`, ''],
  ['bedrock', `${bedrock}/openai/v1/chat/completions?A=1&a=2&a-b=3&a%5B%5D=4`, '{}'],
  ['bedrock', `${bedrock}/anthropic/v1/messages?beta=true`, '{"model":"a.model-v1:0"}'],
  ['bedrock', `${bedrock}/anthropic/v1/messages`, ''],
  ['bedrock', 'https://bedrock-runtime.eu-west-1.amazonaws.com:8443/anthropic/v1/messages', '{}'],
  ['sts', 'https://sts.eu-west-1.amazonaws.com/', 'Action=AssumeRole&RoleArn=arn%3Aaws%3Aiam'],
];

/** Returns the requests of the samples. Each is signed with a session and without one. */
export function signRequests(now: Date) {
  const { sessionToken: _session, ...withoutSession } = credentials;
  const headers = { 'content-type': 'application/json' };
  return [credentials, withoutSession].flatMap((keys) =>
    samples.map(([service, url, body]) => ({
      service,
      url,
      body,
      signed: signAws(
        { method: 'POST', url: new URL(url), headers, body },
        { credentials: keys, region: 'eu-west-1', service, now },
      ),
      hasSession: keys === credentials,
    })),
  );
}
