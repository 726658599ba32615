import { expect, test } from 'bun:test';
import { connectionParameters } from './connection-parameters.ts';

const judge = (query: string) => connectionParameters(`postgres://u:sesame@h/d?${query}`);

test('reads parameters as libpq does: percent-encoded, with a plus as it is, the last one first', () => {
  const { parameters, ignored, problem } = judge('password=a+b%26&user=x&user=y&sslmode=require');
  expect(Object.fromEntries(parameters)).toEqual({ password: 'a+b&', user: 'y', sslmode: 'require' });
  expect({ ignored, problem }).toEqual({ ignored: [], problem: undefined });
});

test('names parameters of libpq that have no effect', () => {
  const { ignored, problem } = judge('channel_binding=require&sslmode=require&keepalives=1');
  expect({ ignored, problem }).toEqual({ ignored: ['channel_binding', 'keepalives'], problem: undefined });
});

test.each([
  ['sslmod=require', "has the parameter sslmod, which is unknown; did you mean 'sslmode'?"],
  ['sslmode=sesame', /sslmode that must be disable,/],
  ['connect_timeout=sesame', /connect_timeout that must be a whole number/],
  ['target_session_attrs=standby', /target_session_attrs that must be any, read-write or primary/],
  ['sslcert=/a.pem', /sslcert and sslkey, which belong together/],
  ['options=%zz', /% in its parameter options/],
])('refuses %s', (query, problem) => {
  expect(judge(query).problem).toMatch(problem);
});

test.each([
  'postgres://u:12?sesame=x@h/d',
  'postgres://u:1?x&%73esame@h',
  'postgres://u:1?sesame#@h/d',
])('refuses %s, and names no part of a password that is not encoded', (url) => {
  expect(connectionParameters(url).problem).toContain('unknown parameter');
  expect(connectionParameters(url).problem).not.toContain('sesame');
});
