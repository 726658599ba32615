import { expect, test } from 'bun:test';
import { readAuthAnswer } from './call-auth.ts';

const answerOf = (status: number, body: object) => readAuthAnswer(Response.json(body, { status }));

test('an unknown address, a wrong password and an unverified address get one answer', async () => {
  const codes = ['INVALID_EMAIL_OR_PASSWORD', 'EMAIL_NOT_VERIFIED', 'USER_NOT_FOUND'];
  const answers = await Promise.all(codes.map((code) => answerOf(403, { code, message: code })));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test('the words of the sign-in library do not reach the browser', async () => {
  const answer = await answerOf(400, { code: 'NEW_CODE', message: 'an inner detail' });
  expect(answer).toMatchObject({ code: 'invalid_request', message: 'The request is not valid.' });
});

test('a failure of the sign-in library is thrown', async () => {
  await expect(answerOf(500, { code: 'X' })).rejects.toThrow('X');
});
