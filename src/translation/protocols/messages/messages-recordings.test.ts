import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import { inputTotal, outputTotal } from '../../canonical/usage.ts';
import type { Frame } from '../codec.ts';
import { MessagesStreamDecoder } from './decode-stream.ts';
import { explode } from './explode.ts';

const FOLDER = join(import.meta.dir, '../../../../../shared/recordings/anthropic');
const files = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: a vendor's JSON
type Json = any;

const framesOf = (file: string): Frame[] =>
  read(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((data) => ({ event: JSON.parse(data).type, data }));

function decodeAll(frames: Frame[]): StreamEvent[] {
  const decoder = new MessagesStreamDecoder();
  return frames.flatMap((frame) => decoder.read(frame));
}

function collected(frames: Frame[]): CanonicalResponse {
  const response = collect(decodeAll(frames));
  if (response instanceof Refusal) throw new Error(response.code);
  return response;
}

/** The blocks of the first message of a recording, put together by the plainest means. */
function plainMessage(frames: Frame[]): { blocks: Json[]; usage: Json; stop: Json } {
  const found: { blocks: Json[]; usage: Json; stop: Json } = { blocks: [], usage: {}, stop: undefined };
  for (const { data } of frames) {
    const event = JSON.parse(data);
    const block = found.blocks[event.index];
    if (event.type === 'message_start') addLargest(found.usage, event.message.usage);
    else if (event.type === 'content_block_start') found.blocks.push({ ...event.content_block, json: '' });
    else if (event.type === 'message_delta') {
      addLargest(found.usage, event.usage);
      found.stop = event.delta.stop_reason;
    } else if (event.type === 'message_stop') break;
    else if (event.type === 'content_block_delta') {
      const { delta } = event;
      block.text = (block.text ?? '') + (delta.text ?? '');
      block.thinking = (block.thinking ?? '') + (delta.thinking ?? '');
      block.signature = (block.signature ?? '') + (delta.signature ?? '');
      block.json += delta.partial_json ?? '';
      block.content ??= delta.content;
    }
  }
  return found;
}

/** Counts are cumulative: of the input that a compaction replaced nothing is taken back. */
function addLargest(known: Json, told: Json): void {
  for (const [name, count] of Object.entries(told))
    if (typeof count !== 'number' || !(known[name] > count)) known[name] = count;
}

function expectBlock(part: Json, block: Json): void {
  if (block.type === 'text') expect(part).toMatchObject({ kind: 'text', text: block.text });
  else if (block.type === 'thinking')
    expect(part).toEqual({
      kind: 'thinking',
      form: 'full',
      text: block.thinking,
      replay: { issuer: 'messages', data: block.signature },
    });
  else if (block.type === 'tool_use') {
    const input = { kind: 'json', text: block.json || JSON.stringify(block.input) };
    expect(part).toEqual({ kind: 'tool-call', callId: block.id, name: block.name, input });
  } else {
    const expected = block.json ? { input: JSON.parse(block.json) } : {};
    expect(part).toMatchObject({
      kind: 'opaque',
      issuer: 'messages',
      block: { type: block.type, ...expected },
    });
  }
}

function expectMessage(response: CanonicalResponse, { blocks, usage, stop }: Json): void {
  expect(response.parts.length).toBe(blocks.length);
  for (const [index, block] of blocks.entries()) expectBlock(response.parts[index], block);
  expect(response.stop.raw).toBe(stop);
  const input =
    usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  expect(inputTotal(response.usage!)).toBe(input);
  expect(outputTotal(response.usage!)).toBe(usage.output_tokens);
}

const SPLICED = 'spliced-message-start.chunks.txt';
const streams = files.filter((file) => file.endsWith('.chunks.txt') && file !== SPLICED);
const bodies = files.filter((file) => file.endsWith('.json'));

describe.skipIf(files.length === 0)('recordings of the messages wire', () => {
  test.each(streams)('decodes the stream %s whole, with one ending', (file) => {
    const events = decodeAll(framesOf(file));
    expect(events.filter(({ type }) => type === 'response-end' || type === 'response-error').length).toBe(1);
    expect(events.at(-1)?.type).toBe('response-end');
    expectMessage(collected(framesOf(file)), plainMessage(framesOf(file)));
  });

  test.each(bodies)('decodes the body %s as if it had been streamed', (file) => {
    const message = JSON.parse(read(file));
    const blocks = message.content.map((block: Json) => ({ ...block, json: '' }));
    expectMessage(collected(explode(read(file))), {
      blocks,
      usage: message.usage,
      stop: message.stop_reason,
    });
  });

  test.each(streams)('the body that %s adds up to decodes to the same', (file) => {
    const streamed = collected(framesOf(file));
    const { blocks, usage, stop } = plainMessage(framesOf(file));
    const content = blocks.map(({ json, ...block }) =>
      json ? { ...block, input: JSON.parse(json) } : block,
    );
    const body = { id: streamed.responseId, model: streamed.model, content, stop_reason: stop, usage };
    const unary = collected(explode(JSON.stringify(body, null, 2)));
    const readInputs = (response: CanonicalResponse) =>
      response.parts.map((part: Json) =>
        part.input ? { ...part, input: JSON.parse(part.input.text) } : part.text,
      );
    expect(readInputs(unary)).toEqual(readInputs(streamed));
    expect({ ...unary, parts: [] }).toEqual({ ...streamed, parts: [] });
  });

  test('an answer that begins inside of another is a failure, and no call of the second is told', () => {
    const events = decodeAll(framesOf(SPLICED));
    expect(events.at(-1)).toMatchObject({
      type: 'response-error',
      refusal: { code: 'upstream_unavailable' },
    });
    expect(JSON.stringify(events)).not.toContain('toolu_second');
  });
});
