import { expect, test } from 'bun:test';
import { cookieIn, plainCookies } from './cookies.ts';

const NAME = 'gateway.session_token';

test.each([
  [`${NAME} =other; ${NAME}=own`, `${NAME}=own`],
  [`${NAME}\t=other;${NAME}=own`, `${NAME}=own`],
  [`${NAME}=own; ${NAME}=other`, `${NAME}=own`],
  [`x; =y; a=b;${NAME}=own;`, `a=b; ${NAME}=own`],
  ['', ''],
])('%j has the cookies that the gateway itself finds', (header, plain) => {
  expect(plainCookies(header)).toBe(plain);
  const valueIn = (cookie: string) =>
    cookieIn({ request: new Request('http://a.test', { headers: { cookie } }) }, NAME);
  expect(valueIn(header)).toBe(valueIn(plain));
});
