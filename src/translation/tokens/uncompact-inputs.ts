import type { Turn } from '../canonical/request.ts';

/**
 * Returns call inputs that have more whitespace or escapes than JSON needs. Some wires send the input in a
 * string, so that the model reads this whitespace too.
 */
export function uncompactInputs(turns: readonly Turn[]): string[] {
  const inputs: string[] = [];
  for (const { parts } of turns)
    for (const part of parts)
      if (part.kind === 'tool-call' && part.input.kind === 'json' && !isCompact(part.input.text))
        inputs.push(part.input.text);
  return inputs;
}

function isCompact(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false; // models can write invalid JSON
  }
}
