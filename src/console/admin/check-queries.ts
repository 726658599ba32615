import { Refusal } from '../../base/errors/refusal.ts';
import { listed } from '../../base/schema/describe-value.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { printable } from '../../base/schema/printable.ts';
import type { Route } from '../../edge/http/route.ts';

/** Restricts routes to the query parameters that their descriptions list. A misspelled filter would otherwise list everything. */
export const checkQueries = <Row extends Route>(routes: readonly Row[]): Row[] =>
  routes.map((route) => {
    const { handle } = route;
    const known = (route.describe?.query ?? []).map(({ name }) => name);
    return { ...route, handle: (exchange) => findQueryFault(exchange.query, known) ?? handle(exchange) };
  });

function findQueryFault(query: string, known: readonly string[]): Refusal | undefined {
  if (query === '') return undefined;
  const seen = new Set<string>();
  for (const [name] of new URLSearchParams(query)) {
    if (!known.includes(name)) return unknownParameter(name, known);
    if (seen.has(name)) return invalid(name, `The query parameter ${name} must not be repeated.`);
    seen.add(name);
  }
  return undefined;
}

function unknownParameter(name: string, known: readonly string[]): Refusal {
  const hint = didYouMean(name, known);
  const accepted = known.length === 0 ? 'no query parameters' : listed(known, 'and');
  const rest = hint === '' ? `; this address accepts ${accepted}.` : hint;
  return invalid(name, `'${printable(name)}' is not a known query parameter${rest}`);
}

const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param: printable(param), message });
