import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { PageRequest } from '../../money/accounts/account-store.ts';

const DEFAULT_LIMIT = 50;

/**
 * Returns the schema of the query parameter for the number of entries of a page. Each list has its own
 * maximum.
 */
export const limitField = (max: number, usual = DEFAULT_LIMIT) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: max,
      expected: `an integer from 1 to ${max}`,
      description: `Entries per page. Default: ${usual}.`,
    }),
  );

/** The query parameters of a list in pages. */
export const pageFields = {
  limit: limitField(1_000),
  after: Type.Optional(
    Type.String({ minLength: 1, description: 'Returns the page after the entry with this id.' }),
  ),
};

/** The page that a query asks for. */
export type PageQuery = { limit?: number | undefined; after?: string | undefined };

/** Returns the page of a list that a query asks for. */
export const pageOf = ({ limit = DEFAULT_LIMIT, after }: PageQuery): PageRequest => ({ limit, after });

/** Refuses a page after an entry that does not exist. `item` names the kind of entry. */
export const unknownAfter = (item: string): Refusal =>
  new Refusal('invalid_request', { message: `after is not the id of ${item}.`, param: 'after' });
