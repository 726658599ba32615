import { expect } from 'bun:test';
import type { Answer } from './call.ts';

/** Expects status 200, and shows the text of any other answer. Returns the answer. */
export function expectOk(answer: Answer): Answer {
  const { status, text } = answer;
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  return answer;
}
