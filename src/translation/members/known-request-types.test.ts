import { expect, test } from 'bun:test';
import { PublishedTypes } from '../protocols/testing/published-types.ts';
import { isKnownTool, knownParts } from './known-request-types.ts';

const anthropic = '@anthropic-ai/sdk/resources';
const openai = 'openai/resources';

/** The unions of the official clients' requests. */
const parts: [file: string, union: string][] = [
  [`${anthropic}/messages/messages.d.ts`, 'ContentBlockParam'],
  [`${anthropic}/beta/messages/messages.d.ts`, 'BetaContentBlockParam'],
  [`${openai}/responses/responses.d.ts`, 'ResponseInputItem'],
  [`${openai}/beta/responses/responses.d.ts`, 'BetaResponseInputItem'],
  [`${openai}/responses/responses.d.ts`, 'ResponseInputContent'],
  [`${openai}/chat/completions/completions.d.ts`, 'ChatCompletionContentPart'],
];
const tools: [file: string, union: string][] = [
  [`${anthropic}/messages/messages.d.ts`, 'ToolUnion'],
  [`${anthropic}/beta/messages/messages.d.ts`, 'BetaToolUnion'],
  [`${openai}/responses/responses.d.ts`, 'Tool'],
  [`${openai}/beta/responses/responses.d.ts`, 'BetaTool'],
];

test.each(parts)('each part of %s %s is known', (file, union) => {
  const names = new PublishedTypes(file).namesOfUnion(union);
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !knownParts.has(name))).toEqual([]);
});

test.each(tools)('each tool of %s %s is known', (file, union) => {
  const names = new PublishedTypes(file).namesOfUnion(union);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !isKnownTool(name))).toEqual([]);
});

test('only a new version of a known tool is known', () => {
  expect(['web_search_20991231', 'hologram_20260101', 'hologram'].map(isKnownTool)).toEqual([
    true,
    false,
    false,
  ]);
});
