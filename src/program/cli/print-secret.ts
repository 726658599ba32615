import type { AdminAnswer } from './admin-client.ts';
import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';

/** Prints a new secret. Without --json, standard output has the secret only, so that it can be piped. */
export function printSecret(invocation: Invocation, answer: AdminAnswer, member: 'key' | 'token'): void {
  if (invocation.flag('json')) {
    printJson(invocation, answer);
    return;
  }
  invocation.terminal.print(answer[member]);
  const until = answer.previous_secret_ends_at;
  const overlap = until ? ` The ${member} before it is valid until ${until}.` : '';
  invocation.terminal.remark(`${answer.id}: the ${member} is shown only once.${overlap}`);
}
