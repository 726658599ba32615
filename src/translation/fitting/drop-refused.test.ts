import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { removeRefused } from './drop-refused.ts';

function remaining(body: object, words: readonly string[]) {
  const parsed = parseBodyAtOnce(JSON.stringify(body));
  if (parsed instanceof Refusal) throw new Error(parsed.code);
  const { rest, words: removed } = removeRefused(parsed, new Set(words));
  return [rest.value, removed];
}

test('top_p goes only if temperature stays', () => {
  const body = { temperature: 1, top_p: 0.5 };
  const both = 'top_p_with_temperature';
  expect(remaining(body, [both])).toEqual([{ temperature: 1 }, [both]]);
  expect(remaining(body, ['temperature', both])).toEqual([{ top_p: 0.5 }, ['temperature']]);
  expect(remaining({ top_p: 0.5 }, [both])).toEqual([{ top_p: 0.5 }, []]);
});

test('a word is named once, however many members it removes', () => {
  const body = { presence_penalty: 1, frequency_penalty: 1 };
  expect(remaining(body, ['penalties'])).toEqual([{}, ['penalties']]);
});
