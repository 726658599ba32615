/** Reads the header fields of an answer, as `Headers` and `HttpAnswer` do. */
export type HeaderReader = { get(name: string): string | null };
