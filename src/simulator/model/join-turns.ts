import type { SimulatorTurn } from './prompt.ts';

/** Wires that list items one by one are read item by item; here neighbours of one role become one turn. */
export function joinTurns(turns: SimulatorTurn[]): SimulatorTurn[] {
  const joined: SimulatorTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === turn.role) last.parts.push(...turn.parts);
    else joined.push({ role: turn.role, parts: [...turn.parts] });
  }
  return joined;
}
