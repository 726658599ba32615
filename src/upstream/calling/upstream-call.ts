import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { TraceHeaders } from '../../base/tracing/attempt-span.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { WholeAnswerForm } from '../../translation/contract/inference-request.ts';
import type { ReaderWaits } from '../http-client/http-answer.ts';

export type UpstreamCall = {
  target: Target;
  wire: Wire;
  path: string;
  body: string;
  /** The form that is sent instead of `body`. */
  streamed?: StreamedBody | undefined;
  stream: boolean;
  /** The form of a whole answer that is not JSON. */
  answerForm?: WholeAnswerForm | undefined;
  /** A whole answer may come in place of a stream. */
  takesWholeAnswers?: true | undefined;
  /** The headers that continue the request's trace. */
  trace?: TraceHeaders | undefined;
  /** Is aborted when the client of the answer leaves. */
  client: AbortSignal;
  /** The client's waits, if the answer is sent on while it arrives. */
  reader?: ReaderWaits | undefined;
  /** The time for which a sent call continues after its client has left. 0 ends it at once. */
  graceMs: number;
  /** Is called once when the client of a continuing call is seen to have left. */
  left?: (() => void) | undefined;
  /** Is aborted when the answer is no longer needed. The call then ends at once. */
  calledOff?: AbortSignal | undefined;
  /** The client's headers, if the client speaks the wire's own protocol. */
  clientHeaders?: Headers | undefined;
  /** Replacements for those headers by name. Null removes the header. */
  headerEdits?: Readonly<Record<string, string | null>> | undefined;
  /** The size limit of a whole answer. */
  maxBytes: number;
  /** Books memory for more bytes of a whole answer. */
  reserveMemory?: ((bytes: number) => MaybeLater<boolean>) | undefined;
};
