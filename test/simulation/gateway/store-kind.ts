/** Where the nodes of a run keep their data: one process with SQLite, or several on one Postgres. */
export const storeKinds = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];
