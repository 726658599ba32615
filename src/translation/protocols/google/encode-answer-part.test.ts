import { expect, test } from 'bun:test';
import type { ReplayToken } from '../../canonical/part.ts';
import { encodeAnswerPart } from './encode-answer-part.ts';
import { tokenOf } from './thought-signature.ts';

const thinking = (replay: ReplayToken, text = 'hm') =>
  ({ kind: 'thinking', form: 'summary', text, replay }) as const;
const ofThought = tokenOf('thought', 'c2ln');

test('a thought that is shown carries its own signature', () => {
  expect(encodeAnswerPart(thinking(ofThought), true)).toEqual([
    { text: 'hm', thought: true, thoughtSignature: 'c2ln' },
  ]);
});

test('an empty thought carries the signature of one that is not shown', () => {
  const carrier = { text: '', thought: true, thoughtSignature: 'c2ln' };
  expect(encodeAnswerPart(thinking(ofThought), false)).toEqual([carrier]);
  expect(encodeAnswerPart(thinking(ofThought, ''), true)).toEqual([carrier]);
});

test('the signature of a text stays apart from the thought', () => {
  expect(encodeAnswerPart(thinking(tokenOf('text', 'c2ln')), true)).toEqual([
    { text: 'hm', thought: true },
    { text: '', thoughtSignature: 'c2ln' },
  ]);
});
