import { Refusal } from '../../base/errors/refusal.ts';
import type { FinishedJob } from '../../base/jobs/job.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteModel } from '../../inference/admission/read-request.ts';
import type { CarriedRequest } from '../../inference/carriage/carried-request.ts';
import { Carrier } from '../../inference/carriage/carrier.ts';
import { askedOutput } from '../../inference/cost/asked-output.ts';
import { askedRegion, type RateQuestion } from '../../inference/cost/rate-question.ts';
import { type ScreenedRequest, screenRequest } from '../../inference/qualification/screen-request.ts';
import { answerId } from '../../inference/request/answer-id.ts';
import type { Services } from '../../inference/request/services.ts';
import { Belief } from '../../inference/settlement/belief.ts';
import { DetailPrices } from '../../inference/settlement/detail-prices.ts';
import { cacheScopeOf, estimateOf } from '../../inference/settlement/request-estimate.ts';
import { UNLIMITED } from '../../money/limits/limit-count.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import { Trail } from '../../upstream/routing/trail.ts';
import type { Admitted } from '../native/admitted.ts';
import type { Delivered } from '../native/native-lane-parts.ts';
import { entryWithoutRow } from './entry-without-row.ts';

/** An answer of a provider's own batch to a request that was admitted when it was packed. */
export type NativeDelivery = {
  exchange: Exchange;
  body: JsonBody;
  admitted: Admitted;
  answered: Delivered;
  finish(answer: { text: string; isSimulated: boolean }): FinishedJob;
  /** The time that prices are taken at. */
  pricedAt: number;
};

/**
 * Writes the answer as the item's result, with its charge. Key, account, credits and model are not checked
 * again, since the provider has already done the work. Throws if the store is unavailable;
 * the hold then stays.
 */
export async function deliverNatively(
  delivery: NativeDelivery,
  dialect: Dialect,
  services: Services,
): Promise<Refusal | undefined> {
  const { exchange, body, admitted, finish } = delivery;
  noteDelivery(delivery);
  const inferenceRequest = dialect.read(body);
  if (inferenceRequest instanceof Refusal) return inferenceRequest;
  const request = asSent({ exchange, dialect, request: inferenceRequest }, admitted);
  const sent = sentRequest(delivery, { dialect, request }, services);
  const answer = readAnswer(sent);
  if (answer instanceof Refusal) return answer;
  const { hold, model, prices } = admitted;
  const rates = { ...admitted.rates, rows: prices?.rows };
  const { trail, carried, belief } = sent;
  const rating = ratingOf(hold, { request, pricedAt: delivery.pricedAt });
  const tab = services.tabs.open({
    exchange,
    trail,
    hold,
    limitCount: UNLIMITED,
    model,
    rates,
    ratesOf: () => rates,
    detailPrices: new DetailPrices({ exchange, entry: carried.entry, trail, request }, rating, prices),
    prompt: { estimate: () => carried.estimate.input() },
    outputCeiling: askedOutput(request.body.value, dialect.ceilings ?? []) ?? carried.entry.model.maxOutput,
    clock: services.clock,
    belief,
  });
  try {
    await tab.settle({
      usage: answer.usage,
      body: answer.text,
      job: finish({ text: answer.text, isSimulated: false }),
    });
  } catch (error) {
    tab.leave();
    throw error;
  }
  return undefined;
}

/**
 * Removes what the item lost when it was packed. An item that the model would refuse now is read as it is.
 */
function asSent(read: Omit<ScreenedRequest, 'entry'>, { model }: Admitted): InferenceRequest {
  const entry = read.exchange.snapshot.catalog.find(model);
  const screened = entry && screenRequest({ ...read, entry });
  return screened === undefined || screened instanceof Refusal ? read.request : screened;
}

const ratingOf = (
  { order }: Admitted['hold'],
  { request, pricedAt }: { request: InferenceRequest; pricedAt: number },
): RateQuestion => ({
  mode: order.pays === 'purchased' ? 'payg' : 'subscription',
  isNative: true,
  at: pricedAt,
  region: askedRegion(request.body.value),
});

function noteDelivery({ exchange, body, admitted: { hold, model }, answered }: NativeDelivery): void {
  noteModel(exchange, body.value['model']);
  const { accountId, keyId } = hold.order;
  Object.assign(exchange.notes, { accountId, keyId, servedModel: model, provider: answered.provider.id });
}

/** The request as it was sent, with the answer. */
type SentRequest = {
  carried: CarriedRequest;
  trail: Trail;
  belief: Belief;
  target: Target;
  /**
   * The catalog entries to read the answer with, in order of preference.
   * The last is a stand-in for a model that was removed.
   */
  entries: readonly CatalogEntry[];
  text: string;
};

/** Reconstructs how the request was sent, even if the catalog has changed since. */
function sentRequest(
  { exchange, admitted, answered: { provider, upstreamModel, wire, text } }: NativeDelivery,
  { dialect, request }: { dialect: Dialect; request: InferenceRequest },
  services: Services,
): SentRequest {
  const target: Target = { provider, upstreamModel, weight: 1, wires: [wire] };
  const { accountId, keyId } = admitted.hold.order;
  const listed = exchange.snapshot.catalog.find(admitted.model);
  const standIn = entryWithoutRow(admitted.model, target);
  const entry = listed ?? standIn;
  const trail = new Trail(admitted.model);
  trail.begin(target);
  const belief = new Belief({ exchange, trail, dialect, request, entry, services });
  const estimate = estimateOf({
    dialect,
    request,
    entry,
    belief,
    shares: services.shares,
    cacheScope: cacheScopeOf({ keyId, model: admitted.model }, request),
    patientCounter: services.counter.for({ account: accountId, isPatient: true }),
  });
  const id = answerId(exchange, dialect);
  const carried: CarriedRequest = {
    exchange,
    dialect,
    request,
    entry,
    id,
    estimate,
    services,
    vendorIds: undefined,
    learned: undefined,
  };
  return { carried, trail, belief, target, entries: listed ? [listed, standIn] : [standIn], text };
}

function readAnswer({ carried, target, entries, text }: SentRequest): WholeAnswer | Refusal {
  let refusal = new Refusal('upstream_unavailable');
  for (const entry of entries) {
    const carriage = new Carrier({ ...carried, entry }).carriageAtOnce(target);
    if (!(carriage instanceof Refusal)) return readBy(carriage, text);
    refusal = carriage;
  }
  return refusal;
}

function readBy(carriage: Carriage, text: string): WholeAnswer | Refusal {
  try {
    return carriage.readAnswer(text);
  } catch (error) {
    return error instanceof RefusedAnswer
      ? error.refusal
      : new Refusal('upstream_unavailable', { cause: error });
  }
}
