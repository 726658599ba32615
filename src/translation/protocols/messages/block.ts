/** A block of a message, in the vendor's form. */
export type Block = Record<string, unknown>;
