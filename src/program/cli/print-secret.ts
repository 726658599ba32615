import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';

type WithSecret = { id: string; previous_secret_ends_at: string | null };
type Secret = { noun: 'key' | 'token'; secret: string };

/** Prints a new secret. Without --json, standard output has the secret only, so that it can be piped. */
export function printSecret(invocation: Invocation, answer: WithSecret, { noun, secret }: Secret): void {
  if (invocation.flag('json')) {
    printJson(invocation, answer);
    return;
  }
  invocation.terminal.print(secret);
  const until = answer.previous_secret_ends_at;
  const overlap = until ? ` The ${noun} before it is valid until ${until}.` : '';
  invocation.terminal.remark(`${answer.id}: the ${noun} is shown only once.${overlap}`);
}
