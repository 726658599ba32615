import type { OwnLoads } from './loads.ts';
import type { ListedSection, ResponseLookup, ResponseStore } from './response-store.ts';

/** The store, and the count of what a request loads from it. */
export type PageParts = { store: ResponseStore; loads: OwnLoads };

/** Everything that a model was given for a response. `count` is the number of its items. */
export type Listing = PageParts & { wanted: ResponseLookup; count: number };

/** Adds up the bytes of sections. */
export const sectionBytes = (sections: readonly ListedSection[]): number =>
  sections.reduce((sum, { bytes }) => sum + bytes, 0);
