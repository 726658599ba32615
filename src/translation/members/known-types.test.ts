import { expect, test } from 'bun:test';
import { PublishedTypes } from '../protocols/testing/published-types.ts';
import { knownTypes, type TypePlace, type TypesByPlace } from './known-types.ts';
import { reportMessageTypes, reportResponseTypes } from './report-types.ts';

const anthropic = '@anthropic-ai/sdk/resources';
const openai = 'openai/resources';

/** The unions of the official clients, and the place of their members in a stream. */
const unions: [protocol: 'messages' | 'responses', place: TypePlace, file: string, union: string][] = [
  ['messages', 'event', `${anthropic}/messages/messages.d.ts`, 'RawMessageStreamEvent'],
  ['messages', 'event', `${anthropic}/beta/messages/messages.d.ts`, 'BetaRawMessageStreamEvent'],
  ['messages', 'block', `${anthropic}/messages/messages.d.ts`, 'ContentBlock'],
  ['messages', 'block', `${anthropic}/beta/messages/messages.d.ts`, 'BetaContentBlock'],
  ['messages', 'delta', `${anthropic}/beta/messages/messages.d.ts`, 'BetaRawContentBlockDelta'],
  ['responses', 'event', `${openai}/responses/responses.d.ts`, 'ResponseStreamEvent'],
  ['responses', 'event', `${openai}/beta/responses/responses.d.ts`, 'BetaResponseStreamEvent'],
  ['responses', 'item', `${openai}/responses/responses.d.ts`, 'ResponseOutputItem'],
  ['responses', 'item', `${openai}/beta/responses/responses.d.ts`, 'BetaResponseOutputItem'],
];

test.each(unions)('%s, %s: each type of %s %s has a row', (protocol, place, file, union) => {
  const names = new PublishedTypes(file).namesOfUnion(union);
  expect(names.length).toBeGreaterThan(5);
  const types: TypesByPlace = knownTypes[protocol];
  expect(names.filter((name) => !types[place]?.has(name))).toEqual([]);
});

test('an unknown event, block, delta and item is reported with its place', () => {
  const reported: string[] = [];
  const report = (name: string) => void reported.push(name);
  reportMessageTypes({ type: 'message_pause' }, report);
  reportMessageTypes({ type: 'content_block_start', content_block: { type: 'hologram' } }, report);
  reportMessageTypes({ type: 'content_block_delta', delta: { type: 'light_delta' } }, report);
  reportResponseTypes({}, 'response.hologram.delta', report);
  reportResponseTypes({ item: { type: 'hologram_call' } }, 'response.output_item.added', report);
  expect(reported).toEqual([
    'event message_pause',
    'block hologram',
    'delta light_delta',
    'event response.hologram.delta',
    'item hologram_call',
  ]);
});

test('known types are not reported', () => {
  const reported: string[] = [];
  const report = (name: string) => void reported.push(name);
  reportMessageTypes({ type: 'ping' }, report);
  reportMessageTypes({ type: 'content_block_start', content_block: { type: 'text' } }, report);
  reportResponseTypes({ item: { type: 'message' } }, 'response.output_item.added', report);
  expect(reported).toEqual([]);
});
