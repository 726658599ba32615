import type { Json } from '../call.ts';

/**
 * The fate of a request, named in its last message: `fail 529`, `expire`, `cancel` or `lose`. Any other
 * request is answered.
 */
export type NativeOutcome =
  | { kind: 'answer' | 'expire' | 'cancel' | 'lose' }
  | { kind: 'fail'; status: number };

export function outcomeOf(body: Json): NativeOutcome {
  const [word, status] = lastMessage(body).split(' ');
  if (word === 'fail') return { kind: 'fail', status: Number(status) };
  return { kind: word === 'expire' || word === 'cancel' || word === 'lose' ? word : 'answer' };
}

/** Returns the text of the last message. */
export function lastMessage(body: Json): string {
  const { content } = body.messages.at(-1);
  return typeof content === 'string' ? content : content[0].text;
}
