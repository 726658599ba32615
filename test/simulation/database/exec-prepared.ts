import { cutAnswer } from './message-cutter.ts';
import { type Message, message, renamed, statementOf, textOf } from './messages.ts';
import type { PostgresBuild } from './postgres-build.ts';

const PARSED = message('1');

/**
 * Runs the messages of a client on the one session of the build. Clients that prepare the same text share one
 * statement and its plan. `statements` has the names in the build, by the names that the client uses.
 */
export function execPrepared(
  build: PostgresBuild,
  statements: Map<string, string>,
  messages: readonly Message[],
): Message[] {
  const sent: Buffer[] = [];
  let isKnown = false;
  let added: string | undefined;
  for (const one of messages) {
    const name = statementOf(one);
    if (name === '') sent.push(one.bytes);
    else if (one.type === 'C') statements.delete(name);
    else if (one.type !== 'P') sent.push(renamed(one, statements.get(name) ?? name));
    else {
      const shared = `t${Bun.hash.xxHash64(textOf(one)).toString(36)}`;
      statements.set(name, shared);
      isKnown = build.prepared.has(shared);
      if (isKnown) continue;
      added = shared;
      sent.push(renamed(one, shared));
    }
  }
  const answer = cutAnswer(build.exec(Buffer.concat(sent)));
  if (added !== undefined && answer.some(({ type }) => type === '1')) build.prepared.add(added);
  return isKnown ? [{ type: '1', bytes: PARSED }, ...answer] : answer;
}
