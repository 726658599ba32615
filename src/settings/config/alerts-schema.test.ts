import { expect, test } from 'bun:test';
import { configOf, problemsOf } from './testing/config-of.ts';

const webhook = (fields: string) => `alerts: { webhooks: [{ ${fields} }] }\n`;

test('a webhook without events takes all with a secret of the environment', () => {
  const text = webhook(`url: 'http://10.0.0.1/x?key=1', secret: '$\{HOOK_SECRET}'`);
  expect(configOf(text, { HOOK_SECRET: 'hidden' }).alerts).toEqual({
    webhooks: [{ url: 'http://10.0.0.1/x?key=1', secret: 'hidden', events: null }],
    credits_low_share: 0.1,
  });
});

test('refuses unknown events, missing secrets and addresses that nothing can be sent to', () => {
  expect(problemsOf(webhook('url: https://a.example, secret: s, events: [cap_90]')).join()).toContain(
    'cap_80',
  );
  expect(problemsOf(webhook('url: https://a.example, secret: s, events: []'))).toHaveLength(1);
  expect(problemsOf(webhook('url: https://a.example')).join()).toContain('secret');
  for (const url of ['ftp://hidden.example', 'https://user:hidden@a.example', 'https://a.example:0/hidden']) {
    const problems = problemsOf(webhook(`url: '${url}', secret: s`));
    expect(problems).toHaveLength(1);
    expect(problems.join()).not.toContain('hidden');
  }
  expect(problemsOf('alerts: { credits_low_share: 10 }\n')).toEqual([
    'tollgate.yaml:1:11 alerts.credits_low_share: must be at most 1, not 10; the number is a share of 1.',
  ]);
});

test('refuses an address that is listed twice, without naming it', () => {
  const row = '{ url: https://a.example/hidden, secret: s }';
  const problems = problemsOf(`alerts: { webhooks: [${row}, ${row}] }\n`);
  expect(problems).toEqual([
    expect.stringContaining(
      'alerts.webhooks[1].url: must be unique; the webhook at position 0 has the same address',
    ),
  ]);
  expect(problems.join()).not.toContain('hidden');
});
