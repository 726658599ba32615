import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { addReason, type ReasonContext } from './add-reason.ts';

const context = {
  target: { provider: { id: 'v', baseUrl: 'https://v.example/v1' }, upstreamModel: 'm' },
  model: 'm',
  body: { messages: [] },
  isOwnProtocol: false,
  providers: new Map(),
} as unknown as ReasonContext;

test('only the path of the field is renamed in a reason, and no part of another word', () => {
  const message = 'input: input_tokens exceed the limit of input';
  const error = { status: 400, type: null, code: null, message, requestId: null, param: 'input' };
  const refusal = addReason(new Refusal('invalid_request'), error, context);
  expect(refusal.details).toMatchObject({
    param: 'messages',
    message: 'messages: input_tokens exceed the limit of messages',
  });
});
