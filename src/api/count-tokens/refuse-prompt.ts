import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { consentOf } from '../../inference/qualification/consent-of.ts';
import { unmetNeed } from '../../inference/qualification/unmet-need.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { resolveFindings } from '../../translation/members/resolve-findings.ts';

/** Refuses a prompt that the generating endpoint would refuse for its model or its members. */
export function refusePrompt(
  { exchange, entry }: { exchange: Exchange; entry: CatalogEntry },
  body: JsonBody,
  { needs, inspect }: Pick<Dialect, 'needs' | 'inspect'>,
): Refusal | undefined {
  const unmet = needs && unmetNeed(entry, needs, body.value);
  if (unmet) return unmet;
  const inspected = { body: body.value, ...inspect(body.value) };
  const resolved = resolveFindings(inspected, consentOf({ exchange, entry, request: { body } }));
  return resolved instanceof Refusal ? resolved : undefined;
}
