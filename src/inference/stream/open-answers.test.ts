import { expect, test } from 'bun:test';
import { OpenAnswers } from './open-answers.ts';

test('interrupts the answers that are open, and serves later ones', () => {
  const open = new OpenAnswers();
  const told: string[] = [];
  open.add(() => told.push('first'));
  open.add(() => told.push('ended'))();
  open.interruptOpen();
  open.add(() => told.push('later'));
  expect(told).toEqual(['first']);
});

test('interrupts later answers too when the server stops', () => {
  const open = new OpenAnswers();
  const told: string[] = [];
  open.add(() => told.push('first'));
  open.interrupt();
  open.add(() => told.push('later'));
  expect(told).toEqual(['first', 'later']);
});
