/** A call of the conversation. `id`: its name for the gateway, which no other call has. */
type Call = { readonly id: string; isAnswered: boolean };

/**
 * Names the calls of a conversation. The vendor matches calls without ids to their results by name and order.
 * Clients may use an id again in a later turn, which other vendors refuse.
 */
export class CallIds {
  readonly #byId = new Map<string, OpenCalls>();
  readonly #byName = new Map<string, OpenCalls>();
  readonly #used = new Set<string>();
  /** The number of the latest call with each repeated id. */
  readonly #repeats = new Map<string, number>();
  #newIds = 0;

  /** Returns the id of the next call. */
  ofCall(name: string, clientId: string | undefined): string {
    const wantedId = clientId || this.#newId();
    const call = { id: this.#unusedId(wantedId), isAnswered: false };
    openCallsIn(this.#byId, wantedId).push(call);
    openCallsIn(this.#byName, name).push(call);
    return call.id;
  }

  /** Returns the id of the call that the next result answers. A result without a call gets its own id. */
  ofResult(name: string, clientId: string | undefined): string {
    const openCalls = clientId ? this.#byId.get(clientId) : this.#byName.get(name);
    return openCalls?.answer()?.id ?? (clientId || this.#newId());
  }

  /** Reports whether every call with this id has its result, so a further result would be a repetition. */
  isAnswered(clientId: string): boolean {
    const calls = this.#byId.get(clientId);
    return calls !== undefined && calls.next() === undefined;
  }

  /** Makes an id from the order of the calls alone, so that a later request gives a call the same one. */
  #newId(): string {
    return `call_${String(++this.#newIds).padStart(4, '0')}`;
  }

  /** Adds a number to an id that an earlier call has. */
  #unusedId(id: string): string {
    let unusedId = id;
    while (this.#used.has(unusedId)) {
      const number = (this.#repeats.get(id) ?? 1) + 1;
      this.#repeats.set(id, number);
      unusedId = `${id}_${number}`;
    }
    this.#used.add(unusedId);
    return unusedId;
  }
}

/** The calls without a result under one key, in order. */
class OpenCalls {
  readonly #calls: Call[] = [];
  #first = 0;

  push(call: Call): void {
    this.#calls.push(call);
  }

  /** Returns the first call without a result. A call may have been answered under another key before. */
  next(): Call | undefined {
    while (this.#calls[this.#first]?.isAnswered) this.#first++;
    return this.#calls[this.#first];
  }

  /** Marks the first call as answered. */
  answer(): Call | undefined {
    const call = this.next();
    if (call) call.isAnswered = true;
    return call;
  }
}

function openCallsIn(table: Map<string, OpenCalls>, key: string): OpenCalls {
  const existingCalls = table.get(key);
  if (existingCalls) return existingCalls;
  const openCalls = new OpenCalls();
  table.set(key, openCalls);
  return openCalls;
}
