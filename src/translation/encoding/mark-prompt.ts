import type { CacheBreakpoint, Part } from '../canonical/part.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Conversation } from './join-turns.ts';

type Marked = { cache?: CacheBreakpoint };

/**
 * Marks a prompt for wires whose vendors cache only what is marked: the instructions, the last turn of the
 * user, and the one before it, whose mark was the last one of the previous request. Vendors accept four
 * marks. A request that has marks, or does not ask for a cache, stays as it is.
 */
export function markPrompt(conversation: Conversation, request: CanonicalRequest): Conversation {
  if (!request.hints.wantsCache || hasMarks(request)) return conversation;
  const { system, turns } = conversation;
  const places = new Set(
    turns.flatMap(({ role }, place) => (endsUser(role, turns[place + 1]) ? [place] : [])),
  );
  const marked = new Set([...places].slice(-2));
  return {
    system: markLast(system),
    turns: turns.map((turn, place) => (marked.has(place) ? { ...turn, parts: markLast(turn.parts) } : turn)),
  };
}

type Turn = Conversation['turns'][number];

/** Reports whether a turn is the last of the user before the model's turn. */
const endsUser = (role: Turn['role'], next: Turn | undefined): boolean =>
  role === 'user' && next?.role !== 'user';

/** Marks the last part that can hold a mark. */
function markLast<P extends Part>(parts: readonly P[]): P[] {
  const place = parts.findLastIndex(canHoldMark);
  return place === -1 ? [...parts] : parts.with(place, { ...parts[place]!, cache: {} });
}

/** Reports whether vendors accept a mark on a part. They refuse marks on blank texts. */
function canHoldMark(part: Part): boolean {
  if (part.kind === 'text') return part.text.trim() !== '';
  return part.kind === 'tool-result' || part.kind === 'image' || part.kind === 'document';
}

function hasMarks({ system, turns, tools }: CanonicalRequest): boolean {
  const parts = [...system, ...turns.flatMap((turn) => turn.parts)];
  return tools.some(isMarked) || parts.some((part) => isMarked(part) || resultsOf(part).some(isMarked));
}

const resultsOf = (part: Part): Part[] => (part.kind === 'tool-result' ? part.content : []);

const isMarked = (marked: object): boolean => (marked as Marked).cache !== undefined;
