import type { JsonObject } from '../../../base/json/json-body.ts';

/** The words in the names of members such as `cost_details`, `estimated_cost`, `is_byok` and `totalCost`. */
const PRICE = /(?:^|_)(?:costs?|byok)(?=_|[A-Z]|$)|[a-z](?:Costs?|Byok)(?=[A-Z]|$)/;

/** Reports whether a host's usage shows what the operator pays. */
export function showsPrice(usage: JsonObject): boolean {
  for (const name in usage) if (PRICE.test(name)) return true;
  return false;
}

/** Returns a host's usage without the members that show what the operator pays. Clients do not get them. */
export const withoutPrice = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => !PRICE.test(name)));
