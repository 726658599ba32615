/** Reads single header fields, as `Headers` and the head of an upstream's answer do. */
export type HeaderReader = { get(name: string): string | null };
