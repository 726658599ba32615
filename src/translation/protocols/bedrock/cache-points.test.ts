import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import type { Part } from '../../canonical/part.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import { bedrockWire } from './bedrock-wire.ts';

const target = { upstreamModel: 'eu.anthropic.claude-sonnet-4-6', reasoning: false, reasoningEfforts: [] };
const text = (words: string): Part => ({ kind: 'text', text: words });
const marked = (mediaType: string): Part => ({
  kind: 'document',
  source: { kind: 'base64', mediaType, data: 'AA==' },
  cache: {},
});
const csv = marked('text/csv');

/** Returns the kinds of the blocks of a turn, and the losses. */
function kindsOf(...parts: Part[]): string[] {
  const request = plainRequest({ turns: [{ role: 'user', parts }] });
  const { body, losses } = acceptedOrError(bedrockWire.encodeRequest(request, target));
  const blocks: object[] = JSON.parse(body).messages[0].content;
  return [...blocks.map((block) => Object.keys(block)[0]!), ...losses.map(({ code }) => code)];
}

test('a cache point never follows a document other than PDF, which this wire refuses', () => {
  expect(kindsOf(text('a'), csv, csv)).toEqual(['text', 'cachePoint', 'document', 'document']);
  expect(kindsOf(text('a'), csv, text('b'))).toEqual(['text', 'cachePoint', 'document', 'text']);
  expect(kindsOf(text('a'), marked('application/pdf'))).toEqual(['text', 'document', 'cachePoint']);
});

test('a mark on a document at the beginning of a turn is lost', () => {
  expect(kindsOf(csv, text('a'))).toEqual(['document', 'text', 'cache-breakpoint']);
});
