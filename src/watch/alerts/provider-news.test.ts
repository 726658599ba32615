import { expect, test } from 'bun:test';
import type { ProviderFault } from '../../upstream/calling/provider-fault.ts';
import { alarmOf, newsOfAlarm } from './provider-news.ts';

const fault: ProviderFault = {
  cause: 'key_refused',
  since: 0,
  latestAt: 0,
  model: null,
  status: 401,
  message: null,
  isAlarming: true,
};

const messageWith = (message: string | null): string =>
  newsOfAlarm('local', { ...fault, message }, alarmOf(fault)!).message;

const cases: [message: string | null, sentence: string][] = [
  [null, 'It answered 401. Replace'],
  ['Invalid key', 'It answered 401: Invalid key. Replace'],
  ['Invalid key.', 'It answered 401: Invalid key. Replace'],
  ['Invalid key!', 'It answered 401: Invalid key! Replace'],
  ['Is the key valid?', 'It answered 401: Is the key valid? Replace'],
  [`${'x'.repeat(299)}😀`, `It answered 401: ${'x'.repeat(299)}. Replace`],
];

test.each(cases)('quotes the answer %p as a sentence', (message, sentence) => {
  expect(messageWith(message)).toContain(sentence);
});
