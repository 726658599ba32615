/** The store of a run: one process with SQLite, or several on one Postgres. */
export const storeKinds = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];
