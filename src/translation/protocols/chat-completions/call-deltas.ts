import type { PartHead, StreamEvent } from '../../canonical/event.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { formatSignature } from './call-signature.ts';
import { wantsFunctionCall } from './completion-envelope.ts';
import type { FinishReason } from './stop.ts';

type CallHead = Extract<PartHead, { kind: 'tool-call' }>;
/** A call that has begun. `isEmpty`: none of its input has been written. */
type Call = { number: number; isJson: boolean; isEmpty: boolean };

/** Returns the delta that adds a text to the input of a call. */
const pieceOf = ({ number, isJson }: Call, text: string): object =>
  isJson ? { index: number, function: { arguments: text } } : { index: number, custom: { input: text } };

/**
 * Writes the deltas of calls. The first delta names the call, and later ones extend its input. The first
 * delta of a signed call waits for the signature, since some clients read the signature only where the call
 * is named. Clients that use `functions` get only the first call.
 */
export class CallDeltas {
  readonly #byPart = new Map<number, Call>();
  /** The piece that names the latest call, while it waits for the signature. */
  #naming: { part: number; piece: object } | undefined;
  readonly #isLegacy: boolean;

  constructor(head: ResponseHead) {
    this.#isLegacy = wantsFunctionCall(head);
  }

  get hasCalls(): boolean {
    return this.#byPart.size > 0;
  }

  /** Returns the word with which the client's form of calls finishes. */
  finishReason(reason: FinishReason): FinishReason {
    return this.#isLegacy && reason === 'tool_calls' ? 'function_call' : reason;
  }

  start(part: number, { callId, name, inputKind, isSigned }: CallHead): object | undefined {
    const call = { number: this.#byPart.size, isJson: inputKind === 'json', isEmpty: true };
    this.#byPart.set(part, call);
    if (this.#isLegacy) return this.#legacy(call, { name, arguments: '' });
    const callee = call.isJson
      ? { type: 'function', function: { name, arguments: '' } }
      : { type: 'custom', custom: { name, input: '' } };
    const piece = { index: call.number, id: callId, ...callee };
    if (!isSigned) return { tool_calls: [piece] };
    this.#naming = { part, piece };
    return undefined;
  }

  /** Returns the delta that names the latest call, if it has waited and the event does not sign the call. */
  takeNaming(event: StreamEvent): object | undefined {
    if (this.#naming === undefined) return undefined;
    const signs = event.type === 'part-delta' && event.delta.kind === 'replay-token';
    if (signs && event.index === this.#naming.part) return undefined;
    return { tool_calls: [this.#takePiece()] };
  }

  grow(part: number, text: string): object | undefined {
    const call = this.#byPart.get(part);
    if (call === undefined || text === '') return undefined;
    call.isEmpty = false;
    if (this.#isLegacy) return this.#legacy(call, { arguments: text });
    return { tool_calls: [pieceOf(call, text)] };
  }

  /**
   * Returns the delta that carries the token. It names the call, or has an empty input, since clients refuse
   * a piece of a call without `function`.
   */
  sign(part: number, replay: ReplayToken): object | undefined {
    const call = this.#byPart.get(part);
    if (call === undefined || this.#isLegacy) return undefined;
    const piece = this.#naming?.part === part ? this.#takePiece() : pieceOf(call, '');
    return { tool_calls: [{ ...piece, ...formatSignature(replay) }] };
  }

  /** Completes a call without arguments with an empty object, since clients parse the arguments. */
  end(part: number): object | undefined {
    const call = this.#byPart.get(part);
    return call?.isEmpty && call.isJson ? this.grow(part, '{}') : undefined;
  }

  #takePiece(): object | undefined {
    const piece = this.#naming?.piece;
    this.#naming = undefined;
    return piece;
  }

  #legacy(call: Call, function_call: object): object | undefined {
    return call.number === 0 ? { function_call } : undefined;
  }
}
