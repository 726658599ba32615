import { expect } from 'bun:test';
import type { Answer } from './call.ts';
import { HIDDEN } from './recording-upstream.ts';

/** No answer may reveal the provider, its address, its model name or its text. */
export function expectNoTrace(
  { text, headers }: Pick<Answer, 'text' | 'headers'>,
  ports: readonly number[] = [],
): void {
  const everything = [text, ...[...headers].flat()].join('\n');
  for (const word of [HIDDEN, ...ports.map((port) => `:${port}`)])
    expect(everything.toLowerCase().includes(word) ? everything : '').toBe('');
}
