import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject } from '../../../base/json/read-json.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { showsPrice, withoutPrice } from '../openai/shows-price.ts';

type MeteredAnswer = Record<string, unknown>;

/** Parses a whole answer. Throws if the upstream reports a failure in its place. */
export function parseAnswer(text: string): MeteredAnswer {
  const answer = parseObject(text);
  if (answer.error != null) throw new RefusedAnswer(readUpstreamError(answer.error));
  return answer;
}

/**
 * Returns the upstream's text with the gateway's id and the client's model name, and without members that the
 * protocol does not have, or that show what the operator pays.
 */
export function labelAnswer(
  text: string,
  answer: MeteredAnswer,
  { label, members }: { label: AnswerLabel; members: ReadonlySet<string> },
): string {
  const patch: Record<string, string | null> = Object.create(null); // `__proto__` can be a name too
  for (const name of Object.keys(answer)) if (!members.has(name)) patch[name] = null;
  if (answer.id !== undefined) patch.id = JSON.stringify(label.id);
  if (answer.model !== undefined) patch.model = JSON.stringify(label.model);
  const usage = objectOf(answer.usage);
  if (showsPrice(usage)) patch.usage = JSON.stringify(withoutPrice(usage));
  return patchKnown(text, answer, patch satisfies JsonPatch);
}
