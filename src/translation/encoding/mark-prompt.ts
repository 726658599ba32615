import type { CacheBreakpoint, Part } from '../canonical/part.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { isPdf } from './is-pdf.ts';
import type { Conversation } from './join-turns.ts';

type Marked = { cache?: CacheBreakpoint };

/**
 * Marks a prompt for wires whose vendors cache only what is marked: the instructions, the last turn of the
 * user, and the one before it, whose mark was the last one of the previous request. Vendors accept four
 * marks. A request that has marks, or does not ask for a cache, stays as it is.
 */
export function markPrompt(
  conversation: Conversation,
  request: CanonicalRequest,
  { inTurns = true } = {},
): Conversation {
  if (!request.hints.wantsCache || hasMarks(request)) return conversation;
  const { system, turns } = conversation;
  const marked = new Set(inTurns ? endsOfUser(turns).slice(-2) : []);
  return {
    system: markLast(system),
    turns: turns.map((turn, place) => (marked.has(place) ? { ...turn, parts: markLast(turn.parts) } : turn)),
  };
}

type Turn = Conversation['turns'][number];

/** Returns the place of the last turn that can hold a mark in each sequence of the user's turns. */
function endsOfUser(turns: readonly Turn[]): number[] {
  const places = turns.flatMap(({ role, parts }, place) =>
    role === 'user' && parts.some(canHoldMark) ? [place] : [],
  );
  const isFollowed = (place: number, next: number | undefined): boolean =>
    next !== undefined && turns.slice(place, next).every(({ role }) => role === 'user');
  return places.filter((place, index) => !isFollowed(place, places[index + 1]));
}

/** Marks the last part that can hold a mark. */
function markLast<P extends Part>(parts: readonly P[]): P[] {
  const place = parts.findLastIndex(canHoldMark);
  return place === -1 ? [...parts] : parts.with(place, { ...parts[place]!, cache: {} });
}

/**
 * Reports whether vendors accept a mark on a part. They refuse marks on blank texts. Bedrock also refuses
 * them on documents, except PDF.
 */
function canHoldMark(part: Part): boolean {
  if (part.kind === 'text') return part.text.trim() !== '';
  if (part.kind === 'document') return isPdf(part);
  return part.kind === 'tool-result' || part.kind === 'image';
}

function hasMarks({ system, turns, tools }: CanonicalRequest): boolean {
  const parts = [...system, ...turns.flatMap((turn) => turn.parts)];
  return tools.some(isMarked) || parts.some((part) => isMarked(part) || resultsOf(part).some(isMarked));
}

const resultsOf = (part: Part): Part[] => (part.kind === 'tool-result' ? part.content : []);

const isMarked = (marked: object): boolean => (marked as Marked).cache !== undefined;
