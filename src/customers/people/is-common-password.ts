import { COMMON_PASSWORDS } from './common-passwords.ts';

/** The fewest different characters of a password. `1111111111` and `1212121212` are in every list of guesses. */
const MIN_DIFFERENT = 3;
/** Rows that guesses run along, in both directions. */
const ROWS = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
const runs = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

let list: ReadonlySet<string> | undefined;

/** Reports whether a password is one of the most used, whatever the case of its letters. Such passwords are guessed first. */
export function isCommonPassword(password: string): boolean {
  list ??= new Set(COMMON_PASSWORDS.split(/\s+/));
  const plain = password.normalize('NFKC').trim().toLowerCase();
  return (
    list.has(plain) ||
    new Set(plain).size < MIN_DIFFERENT ||
    (plain !== '' && runs.some((run) => run.includes(plain)))
  );
}
