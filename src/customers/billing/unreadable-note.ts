/** Says that entries of the account cannot be read, so that a statement may lack them. */
export const unreadableNote = (count: number): string =>
  count === 1
    ? 'An entry of the account cannot be read. It may belong to this month, and is not listed.'
    : `${count} entries of the account cannot be read. They may belong to this month, and are not listed.`;
