import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, numberOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { beginCall } from '../chat-completions/begin-call.ts';
import { findCall } from '../chat-completions/find-call.ts';
import type { OpenaiChoice } from './openai-answer.ts';

/** A call that has begun. `shown`: the index that the client sees. */
type Call = { number: number | undefined; id: string; readonly shown: number };

/**
 * Gives each call of a stream an index of its own, which clients need to put its pieces together. Some hosts
 * send no index, and others send 0 for every call.
 */
export class CallNumbers {
  readonly #byChoice = new Map<number, Call[]>();

  /** Returns the choices with the indexes of their calls, or undefined if these can stay. */
  number(choices: readonly OpenaiChoice[]): OpenaiChoice[] | undefined {
    let isChanged = false;
    const numbered = choices.map((choice) => {
      const pieces = listOf(choice.delta?.tool_calls).map(objectOf);
      const tool_calls = pieces.map((piece) => this.#numberPiece(choice.index ?? 0, piece));
      if (tool_calls.every((piece, place) => piece === pieces[place])) return choice;
      isChanged = true;
      return { ...choice, delta: { ...choice.delta, tool_calls } };
    });
    return isChanged ? numbered : undefined;
  }

  #numberPiece(choice: number, piece: JsonObject): JsonObject {
    const calls = this.#callsOf(choice);
    const number = numberOf(piece.index);
    const id = textOf(piece.id) ?? '';
    const name = textOf(objectOf(piece.function ?? piece.custom).name) ?? '';
    const call =
      findCall(calls, { number, id, name }) ??
      beginCall(calls, { number, id, shown: freeNumber(calls, number) });
    call.id ||= id;
    return call.shown === number ? piece : { ...piece, index: call.shown };
  }

  #callsOf(choice: number): Call[] {
    const calls = this.#byChoice.get(choice) ?? [];
    this.#byChoice.set(choice, calls);
    return calls;
  }
}

/** Returns the host's number of a new call if no other call has it, otherwise the next number. */
function freeNumber(calls: readonly Call[], number: number | undefined): number {
  if (number !== undefined && !calls.some(({ shown }) => shown === number)) return number;
  return calls.reduce((next, { shown }) => Math.max(next, shown + 1), 0);
}
