import { expect, test } from 'bun:test';
import { joinTurns } from './join-turns.ts';
import type { PromptTurn } from './prompt.ts';

test('neighbours of one role become one turn', () => {
  const turn = (role: PromptTurn['role'], ...texts: string[]): PromptTurn => ({
    role,
    parts: texts.map((text) => ({ kind: 'text', text })),
  });
  const turns = [turn('user', 'a'), turn('user', 'b'), turn('assistant', 'c'), turn('user', 'd')];
  expect(joinTurns(turns)).toEqual([turn('user', 'a', 'b'), turn('assistant', 'c'), turn('user', 'd')]);
});
