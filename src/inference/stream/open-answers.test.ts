import { expect, test } from 'bun:test';
import { OpenAnswers } from './open-answers.ts';

test('interrupts only the answers that are open', () => {
  const open = new OpenAnswers();
  const called: string[] = [];
  open.add(() => called.push('first'));
  open.add(() => called.push('ended'))();
  open.interruptOpen();
  open.add(() => called.push('later'));
  expect(called).toEqual(['first']);
});

test('interrupts later answers too when the server stops', () => {
  const open = new OpenAnswers();
  const called: string[] = [];
  open.add(() => called.push('first'));
  open.interrupt();
  open.add(() => called.push('later'));
  expect(called).toEqual(['first', 'later']);
});
