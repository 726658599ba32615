/**
 * Returns the id of an item at the provider. The client's own id is not sent upstream. Older versions sent no
 * mark.
 */
export const customIdOf = (mark: string | null, number: number): string => `${mark ?? 'item'}-${number}`;

/** Reports whether an id at a provider belongs to the submission with this mark. */
export const isItemOf = (mark: string, customId: string): boolean => customId.startsWith(`${mark}-`);
