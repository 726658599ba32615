import { expect, test } from 'bun:test';
import { usageOf } from './reported-counts.ts';
import { addCounts, hasValidCounts } from './usage.ts';

test('reads audio tokens from the details by modality', () => {
  const first = addCounts(
    {},
    { promptTokenCount: 90, promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 60 }] },
  );
  const last = addCounts(first, {
    candidatesTokenCount: 8,
    candidatesTokensDetails: [
      { modality: 'TEXT', tokenCount: 3 },
      { modality: 'AUDIO', tokenCount: 5 },
    ],
  });
  expect(usageOf(last)?.detail).toEqual({ counts: { audio_input: 60, audio_output: 5 } });
});

test('an answer without audio has no detail', () => {
  const promptTokensDetails = [{ modality: 'TEXT', tokenCount: 90 }];
  expect(usageOf(addCounts({}, { promptTokenCount: 90, promptTokensDetails }))).not.toHaveProperty('detail');
});

test('a fraction is not a valid count', () => {
  expect(hasValidCounts({ promptTokenCount: 1, totalTokenCount: 2 })).toBe(true);
  expect(hasValidCounts({ promptTokenCount: 1.5 })).toBe(false);
});
