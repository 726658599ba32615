import { printable } from './printable.ts';

export type Path = readonly (string | number)[];

const PLAIN = /^[^\s.[\]"'\p{C}]{1,64}$/u;

function formatStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return PLAIN.test(step) ? `.${step}` : `["${printable(step, 64)}"]`;
}

/**
 * Formats a path like `messages[2].content[0].source.data`. The path of the whole value is the empty string.
 *
 * @example
 * formatPath(['messages', 0, 'content']); // → 'messages[0].content'
 */
export function formatPath(path: Path): string {
  return path.map(formatStep).join('').replace(/^\./, '');
}
