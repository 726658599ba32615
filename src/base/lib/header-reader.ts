/** The part of `Headers` that a reader of single headers needs. */
export type HeaderReader = Pick<Headers, 'get'>;
