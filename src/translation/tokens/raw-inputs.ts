import type { CanonicalRequest } from '../canonical/request.ts';

/**
 * Inputs of calls that have more spaces or escapes than JSON needs. Some wires carry them in a string, where all of these are read.
 */
export const rawInputs = ({ turns }: Pick<CanonicalRequest, 'turns'>): string[] =>
  turns.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.kind === 'tool-call' && part.input.kind === 'json' && !isCompact(part.input.text)
        ? [part.input.text]
        : [],
    ),
  );

function isCompact(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false; // a model wrote it
  }
}
