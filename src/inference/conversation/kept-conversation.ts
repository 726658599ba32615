import type { Clock } from '../../base/lib/clock.ts';
import type { StoredResponse } from '../../money/ledger/stored-response.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { KeptConversation, KeptRequest } from '../request/kept-conversation.ts';
import { countInput } from '../responses/split-list.ts';
import type { JoinedInput } from './join-input.ts';
import type { ModelItems } from './model-items.ts';
import type { OpenConversation } from './named-conversations.ts';
import { renumber } from './renumber.ts';
import { responseRecord } from './response-record.ts';
import { withInputForAnother } from './with-input.ts';

/** A request with everything that it continues. `isAsSent`: the client has sent exactly these items. */
export type CompletedRequest = { request: InferenceRequest; modelItems: ModelItems; isAsSent: boolean };

/** Everything that is known of a request once its conversation is prepared. */
export type PreparedConversation = {
  order: KeptRequest;
  named: OpenConversation | undefined;
  previousId: string | null;
  /** The list of items that the client has sent, and their number. */
  sent: string;
  sentItems: number;
  joined: JoinedInput;
  completed: CompletedRequest;
};

/** The parts of the program with which answers are kept. */
export type KeepingParts = {
  clock: Clock;
  /** Encrypts the content of an answer, if it is stored encrypted. */
  seal(response: StoredResponse): StoredResponse;
};

/** Returns the conversation of a prepared request, with the ways to keep its answer. */
export function keptConversation(
  { order, named, previousId, sent, sentItems, joined, completed }: PreparedConversation,
  { clock, seal }: KeepingParts,
): KeptConversation {
  const { exchange, principal, id, dialect } = order;
  const { previous, hasItems } = dialect.keepsAnswers!; // only requests of such dialects are prepared
  const { input, wholeInput } = joined;
  const { request, modelItems, isAsSent } = completed;
  const writer = named?.writer;
  // A response that is continued without its conversation has the whole input.
  const ownInput = named ? wholeInput : input;
  const record = {
    exchange,
    principal,
    id,
    previousId,
    input: ownInput,
    inputItems: ownInput === sent ? sentItems : countInput(ownInput),
    wholeInput,
    hasItems,
  };
  return {
    request,
    forAnother: () => withInputForAnother(request, modelItems),
    append: writer && ((answer, model) => writer.append(writer.addition({ input, answer, model }))),
    leave: writer?.leave,
    keep: (answer, servedModel) => {
      const addition = writer?.addition({ input, answer, model: servedModel });
      const stored = responseRecord(answer, { ...record, servedModel, now: clock.now(), addition });
      return stored && seal(stored);
    },
    explain: (refusal) => (isAsSent ? refusal : renumber(refusal, joined, previous)),
  };
}
