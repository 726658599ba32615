import type { Part } from '../canonical/part.ts';
import type { CanonicalRequest } from '../canonical/request.ts';

const isRepeated = (part: Part): boolean => part.kind === 'tool-result' && part.isRepeated === true;

/** Removes repeated results of calls, which other vendors refuse, and turns that have nothing else. */
export function withoutRepeatedResults(request: CanonicalRequest): CanonicalRequest {
  if (!request.turns.some(({ parts }) => parts.some(isRepeated))) return request;
  const turns = request.turns.map((turn) => ({
    ...turn,
    parts: turn.parts.filter((part) => !isRepeated(part)),
  }));
  return { ...request, turns: turns.filter(({ parts }) => parts.length > 0) };
}
