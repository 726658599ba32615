import type { JsonObject } from '../../../base/json/json-body.ts';

const PRICE = /cost|byok/;

/** Reports whether a host's usage shows what the operator pays. */
export const showsPrice = (usage: JsonObject): boolean => Object.keys(usage).some((name) => PRICE.test(name));

/** Returns a host's usage without the members that show what the operator pays. Clients do not get them. */
export const withoutPrice = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => !PRICE.test(name)));
