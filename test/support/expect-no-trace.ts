import { expect } from 'bun:test';
import type { Answer } from './call.ts';
import { HIDDEN } from './recording-upstream.ts';

/** Nothing in an answer tells who the provider is, where it is, what it calls the model or what it said of itself. */
export function expectNoTrace(
  { text, headers }: Pick<Answer, 'text' | 'headers'>,
  ports: readonly number[] = [],
): void {
  const everything = [text, ...[...headers].flat()].join('\n');
  for (const word of [HIDDEN, ...ports.map((port) => `:${port}`)])
    expect(everything.toLowerCase().includes(word) ? everything : '').toBe('');
}
