import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { removePaths } from '../../base/json/remove-paths.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { holdsAt } from '../../settings/catalog/price-condition.ts';
import { acceptsField } from '../../settings/hosts/accepts-field.ts';
import type { Extra } from '../../translation/canonical/extra.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import { type CallPrice, factorPrices, type PriceName } from '../../translation/canonical/price-name.ts';
import { accountHeaders, type ReservedField } from '../../translation/canonical/reserved-field.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type {
  AskedExtras,
  HeaderEdits,
  InferenceRequest,
} from '../../translation/contract/inference-request.ts';
import { BETA_HEADER } from '../../translation/members/priced-betas.ts';
import { refuseReserved } from '../../translation/members/refuse-reserved.ts';
import type { Reserved } from '../../translation/members/reserved.ts';
import {
  type Consent,
  type ResolvedFindings,
  resolveFindings,
} from '../../translation/members/resolve-findings.ts';
import { screenBetas } from '../../translation/members/screen-betas.ts';
import { askedRegion, pricingFor, type RateQuestion } from '../cost/rate-question.ts';
import { unknownTypeNoter } from '../request/unknown-type-noter.ts';

/** A request that is to be checked for what its model's providers may get. */
export type ScreenedRequest = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  /**
   * Returns the facts that select the rates.
   * It is left out if the request will not be charged, or was admitted before.
   */
  rating?(): RateQuestion;
};

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
  const named = dialect.wire === HEADERS_OF ? accountFields(exchange.request.headers) : NONE;
  const beta = dialect.wire === HEADERS_OF ? exchange.request.headers.get(BETA_HEADER) : null;
  if (findings.length + named.length === 0 && beta === null) return request;
  return screenFindings({ screened, request, named, beta }, inspected);
}

/** `named`: the account headers that the client sent. `beta`: its list of previews. */
type Screening = {
  screened: ScreenedRequest;
  request: InferenceRequest;
  named: readonly Reserved[];
  beta: string | null;
};

function screenFindings(
  screening: Screening,
  { findings, tools }: ReturnType<Dialect['inspect']>,
): InferenceRequest | Refusal {
  const { screened, request, named, beta } = screening;
  const consent = consentOf(screened);
  const resolved = resolveFindings({ body: request.body.value, findings, tools }, consent);
  if (resolved instanceof Refusal) return resolved;
  resolved.reserved.push(...named);
  const closed = refuseEverywhere(resolved.reserved, screened);
  if (closed) return closed;
  const headerEdits = beta === null ? undefined : editBetas(beta, consent, resolved.unbilled);
  note(screened.exchange, resolved.unbilled);
  return withResolved(screening, resolved, headerEdits);
}

/** The protocol whose vendor takes consent in headers. */
const HEADERS_OF = 'anthropic-messages';
const NONE: readonly Reserved[] = [];

function accountFields(headers: Headers): readonly Reserved[] {
  const named = accountHeaders.filter((name) => headers.has(name));
  return named.length === 0 ? NONE : named.map((field) => ({ field, path: [field] }));
}

type ConsentQuestion = Pick<ScreenedRequest, 'exchange' | 'entry' | 'rating'> & {
  request: { body: Pick<JsonBody, 'value'> };
};

/** Returns what the operator has consented to, for this model and its prices. */
export function consentOf(question: ConsentQuestion): Consent {
  const { exchange, entry } = question;
  const { model, targets } = entry;
  const passes = exchange.snapshot.config.pricing.unpriced === 'pass';
  return {
    model: model.id,
    decide: ({ extra, price }) => {
      if (price !== undefined && isPriced(price, model, question)) return 'billed';
      return passes || model.allowUnpriced.includes(extra) ? 'unbilled' : 'refused';
    },
    mayReach: (field) => targets.some(({ provider }) => acceptsField(provider, field)),
  };
}

/**
 * A price is in `extras_usd`, or in a row for the requested tier or region whose other conditions can hold.
 */
function isPriced(price: PriceName, model: Model, question: ConsentQuestion): boolean {
  if (model.extrasUsd[price] !== undefined) return true;
  if (!(factorPrices as readonly PriceName[]).includes(price)) return false;
  const rated = question.rating?.();
  const pricings = rated
    ? [pricingFor(model, rated)]
    : [model.pricing, model.paygPricing, model.nativeBatchPricing];
  const rows = pricings.flatMap((pricing) => pricing?.conditions ?? []);
  const named = rows.filter(({ tier, region }) =>
    price === 'inference_geo'
      ? region !== null && region === askedRegion(question.request.body.value)
      : tier === price,
  );
  return rated ? named.some((row) => holdsAt(row, rated.at)) : named.length > 0;
}

/** Refuses reserved members that no single provider accepts together, even if each alone has one. */
function refuseEverywhere(reserved: readonly Reserved[], { entry }: ScreenedRequest): Refusal | undefined {
  const [first] = reserved;
  if (first === undefined) return undefined;
  const takes = (fields: readonly { field: ReservedField }[]) =>
    entry.targets.some(({ provider }) => fields.every(({ field }) => acceptsField(provider, field)));
  if (takes(reserved)) return undefined;
  return refuseReserved(reserved.find((field) => !takes([field])) ?? first);
}

function editBetas(value: string, { decide }: Consent, unbilled: Extra[]): HeaderEdits | undefined {
  const betas = screenBetas(value, decide);
  if (betas === undefined) return undefined;
  unbilled.push(...betas.unbilled);
  return { values: { [BETA_HEADER]: betas.header }, losses: betas.losses };
}

function note({ notes }: Exchange, unbilled: readonly Extra[]): void {
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
  const all: LossCode[] = [...new Set([...(request.losses ?? []), ...losses])];
  return { ...request, ...screened, ...passed, losses: all, asSent: request.body.value };
}
