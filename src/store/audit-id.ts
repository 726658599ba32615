const PREFIX = 'aud_';
/** The number has as many digits as the largest safe integer, so that ids sort as text. */
const ID_DIGITS = 16;

/** Returns the id of the audit entry with this number. */
export const auditIdOf = (sequence: number): string => PREFIX + String(sequence).padStart(ID_DIGITS, '0');

/** Returns the number of an audit entry. It is 0 if the text is not an id. */
export function auditSequenceOf(id: string): number {
  const sequence = Number(id.slice(PREFIX.length));
  return Number.isSafeInteger(sequence) && auditIdOf(sequence) === id ? sequence : 0;
}
