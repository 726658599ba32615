/** A call of a stream. `number`: its index at the host. `id`: empty until the host has sent one. */
type BegunCall = { readonly number: number | undefined; readonly id: string };

/** A piece of a call with the members that every host may omit. Omitted texts are empty. */
export type CallPiece = { number: number | undefined; id: string; name: string };

/**
 * Finds the call that a piece continues. Some hosts number every call 0 and distinguish them by id. Others
 * send no numbers, or repeat the name in every piece.
 */
export function findCall<Call extends BegunCall>(
  calls: readonly Call[],
  { number, id, name }: CallPiece,
): Call | undefined {
  if (number !== undefined) {
    const hasNameAndId = name !== '' && id !== '';
    return calls.findLast(
      (call) => call.number === number && (!hasNameAndId || call.id === '' || call.id === id),
    );
  }
  if (id !== '') return calls.find((call) => call.id === id);
  return name === '' ? calls.at(-1) : undefined;
}
