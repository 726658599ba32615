import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { WholeAnswerForm } from '../../translation/contract/inference-request.ts';
import type { HttpRequest } from '../http-client/http-answer.ts';

/** A request to a target, before its head is known. */
export type UpstreamCall = Omit<HttpRequest, 'head' | 'timeouts' | 'graceMs' | 'maxBytes'> & {
  target: Target;
  wire: Wire;
  path: string;
  stream: boolean;
  /** The form of a whole answer that is not JSON. */
  answerForm?: WholeAnswerForm | undefined;
  /** A whole answer may come in place of a stream. */
  takesWholeAnswers?: true | undefined;
  /** The time for which a sent call continues after its client has left. 0 ends it at once. */
  graceMs: number;
  /** The client's headers, if the client speaks the wire's own protocol. */
  clientHeaders?: Headers | undefined;
  /** Replacements for those headers by name. Null removes the header. */
  headerEdits?: Readonly<Record<string, string | null>> | undefined;
  /** The size limit of a whole answer. */
  maxBytes: number;
};
