import type { PromptTurn } from './prompt.ts';

/** Joins neighbouring items of one role into one turn, for wires that list single items. */
export function joinTurns(turns: PromptTurn[]): PromptTurn[] {
  const joined: PromptTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === turn.role) last.parts.push(...turn.parts);
    else joined.push({ role: turn.role, parts: [...turn.parts] });
  }
  return joined;
}
