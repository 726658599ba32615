import { expect, test } from 'bun:test';
import { errorIn } from './error-in.ts';
import { upstreamErrorOf } from './upstream-error-of.ts';

const headers = (fields: Record<string, string> = {}) => new Headers(fields);

const shapes: [string, string, Record<string, string>, object][] = [
  [
    'OpenAI',
    '{"error":{"message":"bad n","type":"invalid_request_error","param":"n","code":"too_large"}}',
    { 'x-request-id': 'req_1' },
    { message: 'bad n', type: 'invalid_request_error', param: 'n', code: 'too_large', requestId: 'req_1' },
  ],
  [
    'Anthropic',
    '{"type":"error","error":{"type":"invalid_request_error","message":"bad"},"request_id":"req_2"}',
    { 'request-id': 'req_other' },
    { message: 'bad', type: 'invalid_request_error', requestId: 'req_2' },
  ],
  [
    'Google',
    '[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT","details":[{"fieldViolations":[{"field":"contents[0]"}]}]}}]',
    {},
    { message: 'bad', type: 'INVALID_ARGUMENT', code: null, param: 'contents[0]' },
  ],
  [
    'Bedrock',
    '{"message":"bad"}',
    { 'x-amzn-errortype': 'ValidationException:http://x', 'x-amzn-requestid': 'a-1' },
    { message: 'bad', type: 'ValidationException', requestId: 'a-1' },
  ],
  [
    'FastAPI',
    '{"detail":[{"type":"missing","loc":["body","messages",0],"msg":"Field required"}]}',
    {},
    { message: 'messages.0: Field required', param: 'messages.0' },
  ],
  [
    'an object without a text in place of a code',
    '{"status":{"toString":0},"error":{"code":{"toString":0},"message":"bad"}}',
    {},
    { message: 'bad', code: null, status: 400 },
  ],
  ['a text for an error', '{"error":"bad"}', {}, { message: 'bad' }],
  ['no JSON', 'bad gateway', {}, { message: 'bad gateway' }],
  ['nothing', '', {}, { message: null, type: null }],
];

for (const [title, body, fields, says] of shapes)
  test(`reads an error in the form of ${title}`, () => {
    expect(upstreamErrorOf(body, { status: 400, headers: headers(fields) })).toMatchObject({
      status: 400,
      ...says,
    });
  });

test('reads an error inside an answer', () => {
  expect(errorIn({ type: 'overloaded_error', message: 'busy', code: 529 })).toMatchObject({
    status: 529,
    type: 'overloaded_error',
    code: null,
    message: 'busy',
  });
  expect(errorIn(undefined)).toMatchObject({ message: null });
});
