import { expect, test } from 'bun:test';
import type { Turn } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { encodeRequest } from './encode-request.ts';

const target = { upstreamModel: 'up', reasoning: false, reasoningEfforts: [] };
const turn = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] });

function encoded(turns: Turn[], stopSequences?: string[]) {
  const request = plainRequest({ turns, sampling: stopSequences ? { stopSequences } : {} });
  return JSON.parse((encodeRequest(request, target) as EncodedRequest).body);
}

test('sends a single text of the user as it is, without a stop sequence', () => {
  const body = encoded([turn('user', 'Once upon a time')]);
  expect(body.prompt).toBe('Once upon a time');
  expect(body).not.toHaveProperty('stop');
});

test.each([
  [[turn('assistant', 'a')], 'Assistant: a\n\nAssistant:'],
  [[turn('user', 'a'), turn('assistant', 'b')], 'User: a\n\nAssistant: b\n\nAssistant:'],
])('ends a transcript before the next turn of the user', (turns, prompt) => {
  expect(encoded(turns)).toMatchObject({ prompt, stop: ['\n\nUser:'] });
});

test('leaves room for its own stop sequence in a transcript', () => {
  const stops = ['1', '2', '3', '4'];
  expect(encoded([turn('user', 'a')], stops).stop).toEqual(stops);
  expect(encoded([turn('user', 'a'), turn('user', 'b')], stops).stop).toEqual(['1', '2', '3', '\n\nUser:']);
});

test('reports lost fields of other protocols unless they change the answer, which is refused', () => {
  const encode = (block: object, issuer: 'chat-completions' | 'completions' = 'chat-completions') =>
    encodeRequest(plainRequest({ opaque: [{ kind: 'opaque', issuer, block }] }), target);
  expect(encode({ store: false })).toMatchObject({ losses: [] });
  expect(encode({ logit_bias: { 5: 1 } })).toMatchObject({ losses: [{ code: 'logit-bias' }] });
  expect(encode({ web_search_options: {} })).toMatchObject({ code: 'route_not_qualified' });
  const own = encode({ logit_bias: { 5: 1 } }, 'completions') as EncodedRequest;
  expect(JSON.parse(own.body).logit_bias).toEqual({ 5: 1 });
});
