import { test } from 'bun:test';
import { isFull } from './is-full.ts';

/** A test of a further case of its subject, which only a full run has. */
export const fullTest = isFull ? test : test.skip;
