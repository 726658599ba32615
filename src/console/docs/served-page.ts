/** A page with the headers that it is served with. */
export type ServedPage = { text: string; headers: Readonly<Record<string, string>> };
