import { expect, test } from 'bun:test';
import type { Part } from '../canonical/part.ts';
import type { Conversation } from './join-turns.ts';
import { markPrompt } from './mark-prompt.ts';

const text = (content: string): Part => ({ kind: 'text', text: content });
const result = (callId: string, content = 'r'): Part => ({
  kind: 'tool-result',
  callId,
  content: [{ kind: 'text', text: content }],
});
const user = (...parts: Part[]) => ({ role: 'user' as const, parts });
const assistant = (...parts: Part[]) => ({ role: 'assistant' as const, parts });

/** Returns the texts and the call ids of the marked parts. */
function marksOf(conversation: Conversation, changes: object = {}): string[] {
  const request = { model: 'm', stream: false, tools: [], sampling: {}, ...conversation };
  const { system, turns } = markPrompt(conversation, { ...request, hints: { wantsCache: true }, ...changes });
  return [...system, ...turns.flatMap(({ parts }) => parts)].flatMap((part) =>
    'cache' in part ? [labelOf(part)] : [],
  );
}

const labelOf = (part: Part): string =>
  ('callId' in part && part.callId) || ('text' in part && part.text) || part.kind;

const conversation: Conversation = {
  system: [
    { kind: 'text', text: 's1' },
    { kind: 'text', text: 's2' },
  ],
  turns: [
    user(text('u1')),
    assistant(text('a1')),
    user(text('u2'), text('u3')),
    assistant(text('a2')),
    user(result('c1')),
    user(result('c2'), text(' \n')),
  ],
};

test('the instructions and the last two turns of the user end with marks', () => {
  expect(marksOf(conversation)).toEqual(['s2', 'u3', 'c2']);
});

test('the last mark of a request is a mark of the next request', () => {
  const next = { ...conversation, turns: [...conversation.turns, assistant(text('a3')), user(text('u4'))] };
  expect(marksOf(next)).toEqual(['s2', 'c2', 'u4']);
});

test('a prompt without instructions has marks in its turns only', () => {
  expect(marksOf({ system: [], turns: [user(text('u1'))] })).toEqual(['u1']);
});

test('a turn without a part that can hold a mark has none', () => {
  const sound: Part = { kind: 'audio', source: { kind: 'url', url: 'https://a.example/a.mp3' } };
  expect(marksOf({ system: [{ kind: 'text', text: '' }], turns: [user(sound)] })).toEqual([]);
});

const document = (mediaType: string): Part => ({
  kind: 'document',
  source: { kind: 'base64', mediaType, data: 'AA==' },
});

test('a document holds a mark if it is a PDF, since Bedrock refuses marks on others', () => {
  const marked = (...parts: Part[]) => marksOf({ system: [], turns: [user(...parts)] });
  expect(marked(text('u1'), document('application/pdf'))).toEqual(['document']);
  expect(marked(text('u1'), document('text/plain'), document('text/csv'))).toEqual(['u1']);
});

test('a turn without a mark leaves its mark to the turn before it', () => {
  const audio: Part = { kind: 'audio', source: { kind: 'url', url: 'https://a.example/a.mp3' } };
  const turns = [user(text('u1')), assistant(text('a1')), user(text('u2')), assistant(text('a2'))];
  expect(marksOf({ system: [], turns: [...turns, user(audio)] })).toEqual(['u1', 'u2']);
  expect(marksOf({ system: [], turns: [...turns, user(text('u3')), user(audio)] })).toEqual(['u2', 'u3']);
});

test('a request that does not ask for a cache gets no marks', () => {
  expect(marksOf(conversation, { hints: { cacheKey: 'u', user: 'u' } })).toEqual([]);
});

test.each([
  ['a tool', { tools: [{ kind: 'function', name: 'f', cache: {} }] }],
  ['the instructions', { system: [{ kind: 'text', text: 's', cache: {} }] }],
  [
    'the content of a result',
    { turns: [user({ ...result('c'), content: [{ ...text('r'), cache: {} }] } as Part)] },
  ],
])('a request with a mark on %s gets no more marks', (_where, marked) => {
  expect(marksOf(conversation, marked)).toEqual([]);
});
