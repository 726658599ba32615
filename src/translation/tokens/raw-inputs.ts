import type { CanonicalRequest } from '../canonical/request.ts';

/**
 * Returns call inputs that have more whitespace or escapes than JSON needs. Some wires carry them in a
 * string, where the model reads all of it.
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
    return false; // models can write invalid JSON
  }
}
