import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf } from '../../../base/json/read-json.ts';
import type { PartHead } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';
import type { ResponseHead } from '../../contract/response-head.ts';

/** The parts of the model's thinking that the client asked for. */
export type View = {
  /** The text of the thinking. */
  showsThinking: boolean;
  /** The encrypted form, which continues the thinking on a later turn. */
  showsEncrypted: boolean;
  /**
   * True if the client named a kind of summary. The thinking is then shown as a summary, whatever its form.
   */
  asSummary: boolean;
};

/** The word of `include` that asks for encrypted reasoning. */
export const ENCRYPTED_CONTENT = 'reasoning.encrypted_content';

/** Reports whether the client asked for encrypted reasoning. */
export const showsEncrypted = ({ include }: JsonObject): boolean =>
  listOf(include).includes(ENCRYPTED_CONTENT);

export const viewOf = ({ request, body }: ResponseHead): View => ({
  showsThinking: request.thinking?.visible === true,
  showsEncrypted: showsEncrypted(body.value),
  asSummary: request.thinking?.display !== undefined,
});

/** Reports whether a part becomes an output item, in whole or in part. */
export function isShown(part: PartHead | OutputPart, view: View): boolean {
  if (part.kind === 'thinking' || part.kind === 'redacted-thinking')
    return view.showsThinking || view.showsEncrypted;
  return part.kind !== 'opaque' || part.issuer === 'responses';
}
