import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf } from '../../../base/json/read-json.ts';
import type { PartHead } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';
import type { ResponseHead } from '../codec.ts';

/** How much of the model's thinking the client asked for. */
export type View = {
  /** Its text. */
  showsThinking: boolean;
  /** What it takes to continue it, sealed. */
  showsEncrypted: boolean;
  /** The client named a kind of summary, so that is where it looks, however the model thinks. */
  asSummary: boolean;
};

export const ENCRYPTED_CONTENT = 'reasoning.encrypted_content';

/** Whether the client asked for reasoning in its sealed form. */
export const showsEncrypted = ({ include }: JsonObject): boolean =>
  listOf(include).includes(ENCRYPTED_CONTENT);

/** Whether an answer is to be kept: unless the client says otherwise. */
export const isKept = ({ store }: JsonObject): boolean => store !== false;

export const viewOf = ({ request, body }: ResponseHead): View => ({
  showsThinking: request.thinking?.visible === true,
  showsEncrypted: showsEncrypted(body.value),
  asSummary: request.thinking?.display !== undefined,
});

/** Whether a part becomes an item of the output, in whole or in part. */
export function isShown(part: PartHead | OutputPart, view: View): boolean {
  if (part.kind === 'thinking' || part.kind === 'redacted-thinking')
    return view.showsThinking || view.showsEncrypted;
  return part.kind !== 'opaque' || part.issuer === 'responses';
}
