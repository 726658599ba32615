import { COMMON_PASSWORDS } from './common-passwords.ts';
import { COMMON_PASSWORDS_OF_DJANGO } from './common-passwords-of-django.ts';
import { COMMON_PASSWORDS_OF_SECLISTS } from './common-passwords-of-seclists.ts';

/**
 * The fewest different characters of a password. `1111111111` and `1212121212` are in every list of guesses.
 */
const MIN_DIFFERENT = 3;
/** Rows that guesses run along, in both directions. */
const ROWS = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
const runs = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

/**
 * Names of the product and of its roles, and words that people put in their place. docs/people.md has the
 * same list.
 */
export const OWN_WORDS = [
  'tollgate',
  'gateway',
  'dashboard',
  'administrator',
  'admin',
  'operator',
  'owner',
  'developer',
  'viewer',
  'account',
  'password',
  'welcome',
] as const;
const onlyOwnWords = new RegExp(`^(?:${OWN_WORDS.join('|')})+$`);

/** The lists of the most used passwords. Each has only those that the lists before it lack. */
export const PASSWORD_LISTS = [COMMON_PASSWORDS, COMMON_PASSWORDS_OF_DJANGO, COMMON_PASSWORDS_OF_SECLISTS];

let commonPasswords: ReadonlySet<string> | undefined;

/**
 * Reports whether a password is one of the most used, or consists of words of the product, digits and signs.
 * The case of letters does not matter. Such passwords are guessed first.
 */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(PASSWORD_LISTS.flatMap((list) => list.trim().split(/\s+/)));
  const plain = password.normalize('NFKC').trim().toLowerCase();
  return (
    commonPasswords.has(plain) ||
    new Set(plain).size < MIN_DIFFERENT ||
    onlyOwnWords.test(plain.replace(/[^a-z]/g, '')) ||
    (plain !== '' && runs.some((run) => run.includes(plain)))
  );
}
