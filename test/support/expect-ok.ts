import { expect } from 'bun:test';
import type { Answer } from './call.ts';

/** Expects status 200, and shows the text of any other answer. */
export const expectOk = ({ status, text }: Answer): void =>
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
