import type { JsonBody } from '../../base/json/json-body.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Reserved } from './members/judge-findings.ts';
/** What the house has to know of a request, whichever dialect it came in. */
export type InferenceRequest = {
  body: JsonBody;
  model: string;
  stream: boolean;
  /** Questions that have nothing to do with each other; one unless said. */
  prompts?: number;
  /** How many answers it asks for, all its prompts together; one unless said. */
  answers?: number;
  /** How many are written for that, where the best of them are chosen. */
  written?: number;
  /** How many texts it has that are each as long as the window at most: the inputs of embeddings. One unless said. */
  texts?: number;
  /** Where reading it took decoding it whole. */
  canonical?: CanonicalRequest;
  /** What was left out of it before it went to any target. */
  losses?: readonly LossCode[];
  /** The body's value before anything was left out, for refusals that name its members. */
  asSent?: JsonBody['value'];
  /** What only providers may get whose row consents. */
  reserved?: readonly Reserved[];
  /** The client's headers that travel on otherwise than it sent them. */
  headerEdits?: HeaderEdits;
  /** The most tokens that an answer may have beside this prompt, where that is less than the model's own bound. */
  outputRoom?: number;
};
/** By name: what is sent in place of the client's value; null for nothing. `losses`: what goes with what is not sent. */
export type HeaderEdits = { values: Readonly<Record<string, string | null>>; losses: readonly LossCode[] };
