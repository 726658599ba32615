/** A released schema. `commit` is the newest one that wrote it. */
export type Release = { name: string; commit: string; stores: readonly ('embedded' | 'postgres')[] };

/** 0.1.0 had two stages, whose data directories have the schemas 7 and 11. Postgres came with 0.2.0. */
export const releases: readonly Release[] = [
  { name: '0.1.0-first', commit: 'a569163f', stores: ['embedded'] },
  { name: '0.1.0', commit: '77651ee0', stores: ['embedded'] },
  { name: '0.2.0', commit: '46b7fff2', stores: ['embedded', 'postgres'] },
];

/** The admin token of all nodes on the databases. */
export const DATABASE_TOKEN = 'tga_of-the-databases-of-earlier-releases-0123456789';
