import { expect, test } from 'bun:test';
import { Field } from '../../model/field.ts';
import { refuseAsVendor } from '../refuse-as-vendor.ts';

const send = (model: string, messages: object[]) => () =>
  refuseAsVendor(new Field({ model, messages }, ''), { model, wire: 'anthropic-messages' });

test('older Claude models refuse system messages between turns', () => {
  const messages = [
    { role: 'user', content: 'Hi.' },
    { role: 'system', content: 'Be kind.' },
  ];
  for (const model of ['claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-opus-4-7'])
    expect(send(model, messages)).toThrow("role 'system' is not supported on this model");
  for (const model of ['claude-opus-4-8', 'claude-opus-5', 'claude-sonnet-5-5'])
    expect(send(model, messages)).not.toThrow();
});

const results = (...ids: string[]) => [
  { role: 'user', content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id })) },
];

test('Claude models refuse a repeated result of a call', () => {
  expect(send('claude-opus-5', results('a', 'b', 'a'))).toThrow('blocks with id: a');
  expect(send('claude-opus-5', results('a', 'b'))).not.toThrow();
});

test('many results of calls are compared at once', () => {
  const ids = Array.from({ length: 60_000 }, (_, at) => `call_${at}`);
  expect(send('claude-opus-5', results(...ids))).not.toThrow();
  expect(send('claude-opus-5', results(...ids, 'call_0'))).toThrow('blocks with id: call_0');
});

test('Claude models refuse a fifth mark for the cache', () => {
  const blocks = (count: number) => [
    { role: 'user', content: Array.from({ length: count }, () => ({ type: 'text', cache_control: {} })) },
  ];
  expect(send('claude-opus-5', blocks(5))).toThrow('A maximum of 4 blocks');
  expect(send('claude-opus-5', blocks(4))).not.toThrow();
});

test('Bedrock refuses a cache point after a document other than PDF', () => {
  const model = 'global.anthropic.claude-opus-5';
  const sendDocument = (format: string) => () => {
    const content = [{ document: { format } }, { cachePoint: { type: 'default' } }];
    const body = { messages: [{ role: 'user', content }] };
    refuseAsVendor(new Field(body, ''), { model, wire: 'bedrock-converse' });
  };
  expect(sendDocument('csv')).toThrow('messages.0.content.1.type: Field required');
  expect(sendDocument('pdf')).not.toThrow();
});
