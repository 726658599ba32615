import { expect, test } from 'bun:test';
import { withoutSession } from './auth-caller.ts';
import { plainCookies } from './cookies.ts';

const cookieLeft = (cookie: string, isSecure = false) =>
  withoutSession({
    origin: { url: 'http://127.0.0.1', isSecure },
    headers: new Headers({ cookie: plainCookies(cookie) }),
  }).headers.get('cookie');

test('a code of the second factor is checked without the session, however its cookie is written', () => {
  const others = 'gateway.two_factor=a; b=gateway.session_token=c';
  expect(cookieLeft(others)).toBe(others);
  for (const session of ['gateway.session_token=s', 'gateway.session_token =s', '\tgateway.session_token=s'])
    for (const separator of ['; ', ';', ' ;  '])
      expect(cookieLeft(`${session}${separator}a=1${separator}${session}`)).toBe('a=1');
  expect(cookieLeft('__Host-gateway.session_token=s;a=1', true)).toBe('a=1');
});
