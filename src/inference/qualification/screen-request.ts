import { Refusal } from '../../base/errors/refusal.ts';
import { removePaths } from '../../base/json/remove-paths.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { acceptsField } from '../../settings/hosts/accepts-field.ts';
import type { Extra } from '../../translation/canonical/extra.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import type { CallPrice, PriceName } from '../../translation/canonical/price-name.ts';
import { accountHeaders, type ReservedField } from '../../translation/canonical/reserved-field.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type {
  AskedExtras,
  HeaderEdits,
  InferenceRequest,
} from '../../translation/contract/inference-request.ts';
import type { InspectedBody } from '../../translation/members/inspection.ts';
import { BETA_HEADER } from '../../translation/members/priced-betas.ts';
import { refuseReserved } from '../../translation/members/refuse-reserved.ts';
import type { Reserved } from '../../translation/members/reserved.ts';
import {
  type Consent,
  type ResolvedFindings,
  resolveFindings,
} from '../../translation/members/resolve-findings.ts';
import { screenBetas } from '../../translation/members/screen-betas.ts';
import type { RateQuestion } from '../cost/rate-question.ts';
import { unknownTypeNoter } from '../request/unknown-type-noter.ts';
import { consentOf } from './consent-of.ts';

/** A request that is to be checked for what its model's providers may get. */
export type ScreenedRequest = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  /**
   * Returns the facts that select the rates. It is left out if the request will not be charged, or was
   * admitted before.
   */
  rating?(): RateQuestion;
};

/** The protocol whose clients ask for accounts and previews in headers. */
const WIRE_WITH_HEADERS: Wire = 'anthropic-messages';
const NONE: readonly Reserved[] = [];

/**
 * Removes the members that no provider of the model may get, or refuses the request. These members can be
 * misread by other parsers, cost more than tokens, or belong to the operator.
 */
export function screenRequest(screened: ScreenedRequest): InferenceRequest | Refusal {
  const { exchange, dialect } = screened;
  const inspected = dialect.inspect(screened.request.body.value);
  const { findings, unknown, vendorRun } = inspected;
  const request = vendorRun ? { ...screened.request, runsTools: true as const } : screened.request;
  if (unknown) unknown.forEach(unknownTypeNoter(exchange));
  const { headers } = exchange.request;
  const accountFields = dialect.wire === WIRE_WITH_HEADERS ? accountFieldsIn(headers) : NONE;
  const beta = dialect.wire === WIRE_WITH_HEADERS ? headers.get(BETA_HEADER) : null;
  if (findings.length + accountFields.length === 0 && beta === null) return request;
  return screenFindings({ screened, request, accountFields, beta }, inspected);
}

/** `accountFields`: the account headers that the client sent. `beta`: its list of previews. */
type Screening = {
  screened: ScreenedRequest;
  request: InferenceRequest;
  accountFields: readonly Reserved[];
  beta: string | null;
};

/** Decides on everything that was found in a request. */
function screenFindings(
  screening: Screening,
  { findings, tools }: InspectedBody,
): InferenceRequest | Refusal {
  const { screened, request, accountFields, beta } = screening;
  const consent = consentOf(screened);
  const resolved = resolveFindings({ body: request.body.value, findings, tools }, consent);
  if (resolved instanceof Refusal) return resolved;
  resolved.reserved.push(...accountFields);
  const closed = refuseEverywhere(resolved.reserved, screened);
  if (closed) return closed;
  const headerEdits = beta === null ? undefined : editBetas(beta, consent, resolved.unbilled);
  noteUnbilled(screened.exchange, resolved.unbilled);
  return withResolved(screening, resolved, headerEdits);
}

function accountFieldsIn(headers: Headers): readonly Reserved[] {
  const sent = accountHeaders.filter((name) => headers.has(name));
  return sent.length === 0 ? NONE : sent.map((field) => ({ field, path: [field] }));
}

/** Refuses reserved members that no single provider accepts together, even if each alone has one. */
function refuseEverywhere(reserved: readonly Reserved[], { entry }: ScreenedRequest): Refusal | undefined {
  const [first] = reserved;
  if (first === undefined) return undefined;
  const areAccepted = (fields: readonly { field: ReservedField }[]) =>
    entry.targets.some(({ provider }) => fields.every(({ field }) => acceptsField(provider, field)));
  if (areAccepted(reserved)) return undefined;
  return refuseReserved(reserved.find((field) => !areAccepted([field])) ?? first);
}

function editBetas(value: string, { decide }: Consent, unbilled: Extra[]): HeaderEdits | undefined {
  const edit = screenBetas(value, decide);
  if (edit === undefined) return undefined;
  unbilled.push(...edit.unbilled);
  return { values: { [BETA_HEADER]: edit.header }, losses: edit.losses };
}

function noteUnbilled({ notes }: Exchange, unbilled: readonly Extra[]): void {
  if (unbilled.length > 0) notes.unbilled = [...new Set(unbilled)];
}

const askedExtras = (
  priced: readonly PriceName[],
  certain: readonly CallPrice[],
  { answers = 1 }: InferenceRequest,
): AskedExtras => ({
  priced: [...new Set(priced)],
  certain: Object.fromEntries(certain.map((name) => [name, answers])),
});

function withResolved(
  { screened: { dialect }, request }: Screening,
  { removed, losses, reserved, priced, certain }: ResolvedFindings,
  headerEdits: HeaderEdits | undefined,
): InferenceRequest | Refusal {
  const passed = {
    ...(priced.length > 0 && { extras: askedExtras(priced, certain, request) }),
    ...(reserved.length > 0 && { reserved }),
    ...(headerEdits && { headerEdits }),
  };
  if (removed.length === 0) return { ...request, ...passed };
  const screened = dialect.read(removePaths(request.body, removed));
  if (screened instanceof Refusal) return screened;
  const allLosses: LossCode[] = [...new Set([...(request.losses ?? []), ...losses])];
  return { ...request, ...screened, ...passed, losses: allLosses, asSent: request.body.value };
}
