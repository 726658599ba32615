import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../../base/errors/refusal.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse } from '../../canonical/event.ts';
import { completionsWire } from './completions-wire.ts';

const chunk = (text: string, finish_reason: string | null = null, rest: object = {}) =>
  JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, text, finish_reason }], ...rest });
const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 };

function decoded(...data: string[]) {
  const decode = completionsWire.streamDecoder();
  return collect(data.flatMap((each) => decode({ data: each })));
}
const answer = (...data: string[]) => decoded(...data) as CanonicalResponse;

describe('a completions stream', () => {
  test('is one text with its usage and stop', () => {
    const {
      parts,
      usage: used,
      stop,
    } = answer(
      chunk('one '),
      chunk('two'),
      chunk('', 'length'),
      JSON.stringify({ choices: [], usage }),
      '[DONE]',
    );
    expect(parts).toEqual([{ kind: 'text', text: 'one two' }]);
    expect(used).toMatchObject({ input: { uncached: 4 }, output: { visible: 2 } });
    expect(stop).toEqual({ kind: 'max-tokens', raw: 'length' });
  });

  test('ends with its body only if it gave a finish reason', () => {
    expect(answer(chunk('one'), chunk('', 'stop'), '').stop.kind).toBe('end-turn');
    for (const data of [[''], [chunk('one'), ''], ['[DONE]'], ['{"choices":7}'], ['[]'], ['{']])
      expect(() => decoded(...data)).toThrow(SyntaxError);
  });

  test('fails at an error', () => {
    const reported = decoded(chunk('one'), '{"error":{"message":"Rate limit reached"}}', chunk('two'));
    expect(reported).toBeInstanceOf(Refusal);
    expect((reported as Refusal).code).toBe('upstream_overloaded');
    for (const reason of ['error', 'ABORT'])
      expect(decoded(chunk('one'), chunk('', reason))).toBeInstanceOf(Refusal);
  });

  test('reads a whole answer like a stream', () => {
    const frames = completionsWire.splitAnswer(chunk('all', 'stop', { usage }));
    const whole = answer(...frames.map(({ data }) => data));
    expect(whole.parts).toEqual([{ kind: 'text', text: 'all' }]);
    expect(whole.usage).toMatchObject({ output: { visible: 2 } });
  });

  test('accepts an empty answer', () => {
    expect(answer(chunk('', 'stop'), '[DONE]').parts).toEqual([]);
  });
});
