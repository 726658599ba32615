import { expect, test } from 'bun:test';
import { problemsOf } from './testing/config-of.ts';

const SECRET = 'sesame';

/** Values that are no valid secret, and texts that are no valid YAML. */
const invalidValues = [
  SECRET,
  `${SECRET} with spaces`,
  `"${SECRET}\\nline"`,
  `[${SECRET}]`,
  `{ a: ${SECRET} }`,
  `"${SECRET}é☃"`,
  `'http://u:${SECRET}@h:99999/'`,
  `"${SECRET}`,
  `&${SECRET}`,
  `*${SECRET}`,
  `!!${SECRET} x`,
  `${SECRET}: x`,
  `@${SECRET}`,
  `\`${SECRET}`,
  `%${SECRET}`,
  `- ${SECRET}`,
  `\${${SECRET}`,
];

const provider = (line: string): string =>
  `providers:\n  - id: a\n    wire: openai-chat\n    base_url: http://127.0.0.1:1\n    ${line}\n`;
const places: Record<string, string> = {
  'the key of a provider': provider('api_key: HERE'),
  'a header of a provider': provider('headers:\n      x-key: HERE'),
  'the credentials of a cloud': provider('aws:\n      access_key_id: HERE\n      secret_access_key: HERE'),
  'the secret of an application': provider('azure:\n      client_secret: HERE'),
  'the address of a provider': 'providers:\n  - id: a\n    wire: openai-chat\n    base_url: HERE\n',
  'the secret of a webhook': 'alerts:\n  webhooks:\n    - url: http://127.0.0.1:1\n      secret: HERE\n',
  'the address of a webhook': 'alerts:\n  webhooks:\n    - url: HERE\n      secret: other\n',
  'the keys of Stripe': 'billing:\n  stripe:\n    secret_key: HERE\n    webhook_secrets: [HERE]\n',
  'the secret of a sign-in': 'dashboard:\n  providers:\n    - id: a\n      client_secret: HERE\n',
  'the secret of the dashboard': 'dashboard:\n  secret: HERE\n',
  'the password of mail': 'mail:\n  host: h\n  password: HERE\n',
  'a token': 'metrics:\n  token: HERE\nadmin:\n  token: HERE\n',
  'the URL of a store': 'store:\n  database_url: HERE\n  redis_url: HERE\n',
  'the receiver of traces':
    'telemetry:\n  otlp:\n    endpoint: HERE\n    headers:\n      authorization: HERE\n',
};

test.each(Object.entries(places))('no problem shows a part of %s', (_, text) => {
  for (const value of invalidValues) {
    const problems = problemsOf(text.replaceAll('HERE', () => value));
    expect({ value, problems: problems.filter((problem) => problem.includes(SECRET)) }).toEqual({
      value,
      problems: [],
    });
  }
});
