import { describe, expect, test } from 'bun:test';
import { CountedText } from './counted-text.ts';

const estimate = { text: (text: string): number => Math.ceil(text.length / 4) };
const answerTextOf = (...texts: string[]): CountedText => {
  const answerText = new CountedText(estimate);
  for (const text of texts) answerText.add(text);
  return answerText;
};

describe('the text of an answer', () => {
  test('is estimated at any moment, however it was split into deltas', () => {
    const text = 'one two three four '.repeat(1_000);
    const whole = answerTextOf(text);
    const cut = answerTextOf(...text.match(/.{1,7}/gs)!);
    expect(whole.length).toBe(text.length);
    expect(cut.length).toBe(text.length);
    expect(Math.abs(whole.tokens - cut.tokens)).toBeLessThan(20);
    expect(answerTextOf().tokens).toBe(0);
    expect(answerTextOf('a').tokens).toBe(1);
  });

  test('is counted exactly', async () => {
    const counted: string[] = [];
    const answerText = answerTextOf('hello ', 'world');
    expect(
      await answerText.count(async (text) => {
        counted.push(text);
        return 2;
      }),
    ).toBe(2);
    expect(counted).toEqual(['hello world']);
    expect(await answerTextOf().count(async () => 99)).toBe(0);
  });

  test('is kept up to a limit, from which the rest is estimated', async () => {
    const answerText = answerTextOf(...Array.from({ length: 1_000 }, () => 'x'.repeat(2_048)));
    let length = 0;
    const tokens = await answerText.count(async (text) => {
      length = text.length;
      return text.length / 8; // half of the estimate
    });
    expect(length).toBeLessThan(300_000);
    expect(tokens).toBe((1_000 * 2_048) / 8);
  });
});
