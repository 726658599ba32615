import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { sampleProvider } from '../../settings/hosts/testing/sample-provider.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import { addReason, type ReasonContext } from './add-reason.ts';

const context: ReasonContext = {
  target: sampleTarget({ provider: sampleProvider({ id: 'v', baseUrl: 'https://v.example/v1' }) }),
  model: 'm',
  body: { messages: [] },
  isOwnProtocol: false,
  providers: new Map(),
};

test('only the whole path of the field is renamed in a reason', () => {
  const message = 'input: input_tokens exceed the limit of input';
  const error = { status: 400, type: null, code: null, message, requestId: null, param: 'input' };
  const refusal = addReason(new Refusal('invalid_request'), error, context);
  expect(refusal.details).toMatchObject({
    param: 'messages',
    message: 'messages: input_tokens exceed the limit of messages',
  });
});

const errorWith = (message: string) => ({
  status: 400,
  type: null,
  code: null,
  message,
  requestId: null,
  param: null,
});

test('the path of a field in a message becomes its param', () => {
  const refusal = addReason(new Refusal('invalid_request'), errorWith('tools[0].name: is too long'), {
    ...context,
    body: { tools: [{ name: 'x' }] },
    isOwnProtocol: true,
  });
  expect(refusal.details.param).toBe('tools[0].name');
});

test('a message that begins like a path without an end is read in a moment', () => {
  const start = performance.now();
  addReason(new Refusal('invalid_request'), errorWith(`a${'.b]'.repeat(5_000)} is unknown`), context);
  expect(performance.now() - start).toBeLessThan(1_000);
});
