import type { Part, TextPart } from '../canonical/part.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodeNotes } from './encode-notes.ts';

/** The roles on wires whose turns must alternate. */
export type Role = 'user' | 'assistant';
/** The blocks of one part. `answers` is the id of the call whose result the part is. */
export type Unit<Block> = { blocks: Block[]; answers?: string };
export type EncodedTurn<Block> = { role: Role; units: Unit<Block>[] };

/** A conversation whose system texts are apart from its turns. */
export type Conversation = { system: TextPart[]; turns: { role: Role; parts: Part[] }[] };

/** Moves system texts within the conversation to its beginning, for wires that accept them only there. */
export function hoistSystem({ system, turns }: CanonicalRequest, notes: EncodeNotes): Conversation {
  const hoisted = [...system];
  const remaining: Conversation['turns'] = [];
  for (const { role, parts } of turns) {
    const texts = role === 'system' ? parts.filter((part) => part.kind === 'text') : [];
    if (texts.length > 0) notes.lose('system-position');
    hoisted.push(...texts);
    const keptParts = role === 'system' ? parts.filter((part) => part.kind !== 'text') : parts;
    if (keptParts.length > 0)
      remaining.push({ role: role === 'assistant' ? role : 'user', parts: keptParts });
  }
  if (remaining.length > 0) return { system: hoisted, turns: remaining };
  // These wires require a turn, so a request with system texts only sends them as the user's.
  return { system: [], turns: [{ role: 'user', parts: hoisted }] };
}

/**
 * Joins turns for wires whose turns must alternate. Empty turns are dropped, and consecutive turns of one
 * role become one. In each turn the results of calls come first, in the order of the calls.
 */
export function joinTurns<Block>(
  turns: readonly EncodedTurn<Block>[],
  callIds: readonly string[],
): { role: Role; blocks: Block[] }[] {
  const joined: EncodedTurn<Block>[] = [];
  for (const { role, units } of turns) {
    if (units.every(({ blocks }) => blocks.length === 0)) continue;
    const last = joined.at(-1);
    if (last?.role === role) last.units.push(...units);
    else joined.push({ role, units: [...units] });
  }
  const places = new Map(callIds.map((id, place) => [id, place]));
  const placeOf = ({ answers }: Unit<Block>) =>
    answers === undefined ? callIds.length + 1 : (places.get(answers) ?? callIds.length);
  return joined.map(({ role, units }) => ({
    role,
    blocks: units.sort((one, other) => placeOf(one) - placeOf(other)).flatMap(({ blocks }) => blocks),
  }));
}

/** Returns the ids of all calls, in their order. */
export const callIdsOf = ({ turns }: Conversation): string[] =>
  turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.callId] : [])));

/** Returns the names of the called tools by call id, for wires whose results name their tool. */
export const namesOfCalls = ({ turns }: Conversation): Map<string, string> =>
  new Map(
    turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'tool-call' ? [[part.callId, part.name] as const] : [])),
    ),
  );
