/** A span of the simulation's time, in milliseconds. */
export type Span = { from: number; until: number };

/** A request that has got a slot reaches its vendor within this time. */
export const ON_THE_WAY_MS = 150;

/**
 * Reports whether the span certainly includes the moment at which a request that arrived at `at` got its
 * slot.
 */
export const certainlyIncludes = ({ from, until }: Span, at: number): boolean =>
  from < at - ON_THE_WAY_MS && until > at + ON_THE_WAY_MS;

/**
 * Reports whether the span possibly includes the moment at which a request that arrived at `at` got its slot.
 */
export const possiblyIncludes = ({ from, until }: Span, at: number): boolean =>
  from < at && until > at - ON_THE_WAY_MS;
