/**
 * Names the calls of a conversation. The vendor matches calls without ids to their results by name and order.
 */
export class CallIds {
  /** The calls without a result, in order. */
  readonly #unanswered: { id: string; name: string }[] = [];
  #newIds = 0;

  /** Returns the id of the next call. */
  ofCall(name: string, clientId: string | undefined): string {
    const id = clientId || this.#newId();
    this.#unanswered.push({ id, name });
    return id;
  }

  /** Returns the id of the call that the next result answers. A result without a call gets its own id. */
  ofResult(name: string, clientId: string | undefined): string {
    const index = this.#unanswered.findIndex((call) =>
      clientId ? call.id === clientId : call.name === name,
    );
    const [call] = index < 0 ? [] : this.#unanswered.splice(index, 1);
    return call?.id ?? (clientId || this.#newId());
  }

  /** Makes an id from the order of the calls alone, so that a later request gives a call the same one. */
  #newId(): string {
    return `call_${String(++this.#newIds).padStart(4, '0')}`;
  }
}
