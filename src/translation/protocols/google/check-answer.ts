import type { JsonObject } from '../../../base/json/json-body.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { candidatesOf } from './answer-chunk.ts';
import { blockedPrompt } from './blocked-prompt.ts';
import { refusalOf } from './refusal-of.ts';

/** Throws if the vendor reports a failure. */
export function checkNotFailed(chunk: JsonObject): void {
  if (chunk.error != null) throw new RefusedAnswer(refusalOf(chunk.error));
}

/** Throws if the vendor has blocked the prompt. */
export function checkNotBlocked(chunk: JsonObject): void {
  const blocked = candidatesOf(chunk).length === 0 ? blockedPrompt(chunk) : undefined;
  if (blocked) throw new RefusedAnswer(blocked);
}
