import { expect, test } from 'bun:test';
import { clientParam } from './client-param.ts';

const chat = { messages: [], max_tokens: 5, stop: ['x'], reasoning_effort: 'low' };
const responses = { input: 'x', max_output_tokens: 5, reasoning: { effort: 'low' }, text: { format: {} } };

test('keeps the place of a field on its own protocol [ERR-54]', () => {
  const place = (named: string) => clientParam(named, { body: chat, isOwnProtocol: true });
  expect(place('messages.0.content.1.text')).toBe('messages[0].content[1].text');
  expect(place('messages[2].content')).toBe('messages[2].content');
  expect(place('max_completion_tokens')).toBe('max_tokens');
  expect(place('temperature')).toBeUndefined();
  expect(place('')).toBeUndefined();
});

test("finds the client's own name of a field of another protocol [ERR-54]", () => {
  const inChat = (named: string) => clientParam(named, { body: chat, isOwnProtocol: false });
  const inResponses = (named: string) => clientParam(named, { body: responses, isOwnProtocol: false });
  const named: [string, string | undefined, string | undefined][] = [
    ['generationConfig.maxOutputTokens', 'max_tokens', 'max_output_tokens'],
    ['GenerateContentRequest.generation_config.max_output_tokens', 'max_tokens', 'max_output_tokens'],
    ['#/inferenceConfig/maxTokens', 'max_tokens', 'max_output_tokens'],
    ['contents[3].parts[0]', 'messages', 'input'],
    ['stop_sequences', 'stop', undefined],
    ['thinking.budget_tokens', 'reasoning_effort', 'reasoning.effort'],
    ['generationConfig.responseSchema', undefined, 'text.format'],
    ['cachedContent', undefined, undefined],
    ['constructor', undefined, undefined],
  ];
  for (const [name, ofChat, ofResponses] of named)
    expect([name, inChat(name), inResponses(name)]).toEqual([name, ofChat, ofResponses]);
});
