import { expect, test } from 'bun:test';
import { fitReasoning, markReasoning } from './mark-reasoning.ts';

const thought = (encrypted_content: string, fields: object = {}) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content,
  ...fields,
});
const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{}' };
const said = { role: 'user', content: 'they write "encrypted_content":"x" and tollgate-sealed-v1:other:x' };
const requestOf = (...input: object[]) => JSON.stringify({ input, model: 'm' });
const inputOf = (text: string) => JSON.parse(text).input;

test('returns encrypted content unchanged to its own account', () => {
  const request = requestOf(thought('abc'), thought(''), call, said);
  const labelled = markReasoning(request, 'one');
  expect(inputOf(labelled)[0].encrypted_content).not.toBe('abc');
  expect(inputOf(labelled).slice(1)).toEqual([thought(''), call, said]);
  expect(fitReasoning(labelled, 'one')).toEqual({ body: request, losses: [] });
});

test('removes encrypted content and dependent ids for other accounts and keeps unmarked content', () => {
  const summary = [{ type: 'summary_text', text: 'hm' }];
  const [ours] = inputOf(markReasoning(requestOf(thought('abc', { summary })), 'one'));
  const { body, losses } = fitReasoning(requestOf(said, ours, call, thought('plain')), 'two');
  const { id: _, ...rest } = call;
  const { id: __, ...plain } = thought('plain');
  expect(inputOf(body)).toEqual([said, rest, plain]);
  expect(losses).toEqual(['replay-token', 'thinking-block']);
});

test('passes on a request without marks unchanged', () => {
  const request = '{ "input": "hi" }';
  expect(fitReasoning(request, 'one').body).toBe(request);
  expect(markReasoning(request, 'one')).toBe(request);
});
