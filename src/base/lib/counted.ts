/**
 * Returns a number with its noun.
 *
 * @example
 * counted(1, 'entry', 'entries'); // → '1 entry'
 * counted(2, 'fault'); // → '2 faults'
 */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;
