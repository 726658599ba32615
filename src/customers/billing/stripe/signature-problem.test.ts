import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { signatureProblem } from './signature-problem.ts';

const NOW_S = 1_700_000_000;
const BODY = '{"id":"evt_1"}';
const signed = (secret: string, at = NOW_S, body = BODY): string =>
  createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
const problemOf = (header: string | null, secrets = ['one', 'two']) =>
  signatureProblem({ body: BODY, header, secrets, toleranceS: 300, nowMs: NOW_S * 1_000 });

test('a message signed with any of the secrets passes, even with other signatures', () => {
  expect(problemOf(`t=${NOW_S},v1=${signed('two')}`)).toBeUndefined();
  expect(problemOf(`t=${NOW_S},v1=${signed('other')},v1=${signed('one')},v0=x`)).toBeUndefined();
});

test('a message with another body, time, secret or scheme is refused', () => {
  const headers = [
    `t=${NOW_S},v1=${signed('other')}`,
    `t=${NOW_S + 1},v1=${signed('one')}`,
    `t=${NOW_S},v1=${signed('one', NOW_S, `${BODY} `)}`,
    `t=${NOW_S},v0=${signed('one')}`,
    `v1=${signed('one')}`,
    `t=x,v1=${signed('one')}`,
    '',
    null,
  ];
  expect(headers.map((header) => problemOf(header) === undefined)).toEqual(headers.map(() => false));
});

test('a message that is older or newer than the tolerance is refused', () => {
  const at = (seconds: number) => problemOf(`t=${seconds},v1=${signed('one', seconds)}`);
  expect(at(NOW_S - 300)).toBeUndefined();
  expect(at(NOW_S + 300)).toBeUndefined();
  expect([at(NOW_S - 301), at(NOW_S + 301)]).not.toContain(undefined);
});
