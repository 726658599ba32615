/**
 * Names the calls of a conversation. The vendor matches calls without ids to their results by name and order.
 */
export class CallIds {
  readonly #open: { id: string; name: string }[] = [];
  #calls = 0;

  /** Returns the id of the next call. An id that the gateway makes depends on the place of the call alone. */
  ofCall(name: string, clientId: string | undefined): string {
    const id = clientId || `call_${String(++this.#calls).padStart(4, '0')}`;
    this.#open.push({ id, name });
    return id;
  }

  /** Returns the id of the call that the next result answers. */
  ofResult(name: string, id: string | undefined): string {
    const at = this.#placeOf(name, id || undefined);
    if (at < 0) return id || `call_${String(++this.#calls).padStart(4, '0')}`;
    return this.#open.splice(at, 1)[0]!.id;
  }

  #placeOf(name: string, clientId: string | undefined): number {
    if (clientId !== undefined) return this.#open.findIndex(({ id }) => id === clientId);
    return this.#open.findIndex((call) => call.name === name);
  }
}
