/** A numbered change of the schema. A released migration is never edited, and an older program must still run after it. */
export type PostgresMigration = { number: number; name: string; sql: string };
