import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../codec.ts';
import { createStreamDecoder } from './decode-stream.ts';
import { explode } from './explode.ts';

const root = join(import.meta.dir, '../../../../../shared/recordings');
const folders = 'openai/chat openai-compatible/chat groq mistral deepseek/chat moonshotai alibaba xai'.split(
  ' ',
);
const paths = existsSync(root)
  ? folders
      .flatMap((folder) => [...new Glob(`${folder}/*.{chunks.txt,sse,json}`).scanSync(root)])
      .filter((path) => !path.includes('error'))
      .sort()
  : [];
const read = (path: string) => readFileSync(join(root, path), 'utf8');
if (paths.length === 0) console.warn(`no recordings at ${root}: their tests are skipped`);

function framesOf(path: string): Frame[] {
  const lines = read(path)
    .split('\n')
    .filter((line) => line !== '');
  if (path.endsWith('.json')) return explode(read(path));
  if (path.endsWith('.sse')) return lines.map((line) => ({ data: line.replace(/^data: /, '') }));
  return [...lines, '[DONE]'].map((data) => ({ data }));
}

function eventsOf(frames: Frame[]): StreamEvent[] {
  const decode = createStreamDecoder();
  return frames.flatMap((frame) => decode(frame));
}

const answerOf = (path: string): CanonicalResponse => collect(eventsOf(framesOf(path))) as CanonicalResponse;

// biome-ignore lint/suspicious/noExplicitAny: what hosts sent is read field by field
type Json = any;

/** What the recording says, read in the plainest way. */
function plainly(path: string) {
  const bodies: Json[] = path.endsWith('.json')
    ? [JSON.parse(read(path))]
    : framesOf(path)
        .filter(({ data }) => data !== '[DONE]')
        .map(({ data }) => JSON.parse(data));
  const messages: Json[] = bodies.map(({ choices }) => choices[0]?.delta ?? choices[0]?.message ?? {});
  const calls: Json[] = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  const usage = bodies.findLast((body) => body.usage)?.usage;
  return {
    text: messages.map(({ content }) => content ?? '').join(''),
    thinking: messages.map((message) => message.reasoning_content ?? message.reasoning ?? '').join(''),
    input: calls.map((call) => call.function.arguments).join(''),
    ids: calls.map(({ id }) => id).filter(Boolean),
    usage,
  };
}

const textOf = (answer: CanonicalResponse, kind: 'text' | 'thinking'): string =>
  answer.parts.map((part) => (part.kind === kind ? part.text : '')).join('');

describe.each(paths)('%s', (path) => {
  test('gives the text, thinking, calls and usage that the host sent', () => {
    const answer = answerOf(path);
    const sent = plainly(path);
    const calls = answer.parts.filter((part) => part.kind === 'tool-call');
    expect(textOf(answer, 'text')).toBe(sent.text);
    expect(textOf(answer, 'thinking')).toBe(sent.thinking);
    expect(calls.map(({ input }) => input.text).join('')).toBe(sent.input);
    expect(calls.map(({ callId }) => callId)).toEqual(sent.ids);
    expect(answer.stop.kind === 'tool-call').toBe(calls.length > 0);
    expect(answer.usage === undefined).toBe(sent.usage === undefined);
    if (!answer.usage) return;
    const { input, output } = answer.usage;
    const total = input.uncached + (input.cacheRead ?? 0) + output.visible + (output.thinking ?? 0);
    expect(total).toBe(sent.usage.total_tokens);
    expect(output.thinking ?? 0).toBe(sent.usage.completion_tokens_details?.reasoning_tokens ?? 0);
  });

  test('begins once, numbers its parts, ends each of them and then itself', () => {
    const events = eventsOf([...framesOf(path), { data: '' }]);
    expect(events.filter(({ type }) => type === 'response-start')).toHaveLength(1);
    expect(events[0]?.type).toBe('response-start');
    expect(events.findIndex(({ type }) => type === 'response-end')).toBe(events.length - 1);
    const started = events.filter((event) => event.type === 'part-start').map(({ index }) => index);
    expect(started).toEqual(started.map((_, index) => index));
    const ended = events.filter((event) => event.type === 'part-end').map(({ index }) => index);
    expect(ended.sort()).toEqual(started);
  });

  test('gives a thought the field that its host wants it back in', () => {
    const thoughts = answerOf(path).parts.filter((part) => part.kind === 'thinking');
    for (const { replay } of thoughts) {
      expect(replay?.issuer).toBe('chat-completions');
      expect(read(path)).toContain(`"${replay?.data}":`);
    }
  });
});

test.skipIf(paths.length === 0)('an answer and a stream of one host have the same parts', () => {
  const kinds = (path: string) => answerOf(path).parts.map(({ kind }) => kind);
  for (const name of [
    'groq/groq-reasoning',
    'groq/groq-text',
    'alibaba/alibaba-reasoning',
    'xai/xai-tool-call',
  ])
    expect(kinds(`${name}.json`)).toEqual(kinds(`${name}.chunks.txt`));
});
