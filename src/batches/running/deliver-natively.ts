import { Refusal } from '../../base/errors/refusal.ts';
import type { FinishedJob } from '../../base/jobs/job.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { askedOutput } from '../../inference/admission/asked-output.ts';
import { askedRegion, type RateQuestion } from '../../inference/admission/rate-question.ts';
import { type Belief, believeUsage } from '../../inference/gateway/believe-usage.ts';
import { estimateOf } from '../../inference/gateway/estimate-of.ts';
import { answerId, type Gateway, noteModel } from '../../inference/gateway/gateway.ts';
import { type Screening, screenRequest } from '../../inference/gateway/screen-request.ts';
import { detailPrices } from '../../inference/settlement/detail-prices.ts';
import { type CarriageParts, carriages } from '../../inference/stream/carriages.ts';
import { UNLIMITED } from '../../money/limits/limiter.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage, Dialect, WholeAnswer } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import { Trail } from '../../upstream/routing/trail.ts';
import type { Admitted } from '../native/admitted.ts';
import type { Delivered } from '../native/native-lane.ts';
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
 * Writes the answer as the item's result, with its charge. Key, account, credits and model are not checked again, since the provider has
 * already done the work. Throws if the store is unavailable; the hold then stays.
 */
export async function deliverNatively(
  delivery: NativeDelivery,
  dialect: Dialect,
  gateway: Pick<Gateway, 'till' | 'wires' | 'counter' | 'shares'>,
): Promise<Refusal | undefined> {
  const { exchange, body, admitted, finish } = delivery;
  noteDelivery(delivery);
  const read = dialect.read(body);
  if (read instanceof Refusal) return read;
  const request = asSent({ exchange, dialect, request: read }, admitted);
  const { till } = gateway;
  const reading = readingOf(delivery, { dialect, request }, gateway);
  const made = readAnswer(reading);
  if (made instanceof Refusal) return made;
  const { hold, model, prices } = admitted;
  const rates = { ...admitted.rates, rows: prices?.rows };
  const { trail, parts, entry, belief } = reading;
  const estimateInput = () => parts.estimate.input();
  const outputCeiling = askedOutput(request.body.value, dialect.ceilings ?? []) ?? entry.model.maxOutput;
  const tab = till.tabs.open({
    exchange,
    trail,
    hold,
    model,
    rates,
    estimateInput,
    outputCeiling,
    limitCount: UNLIMITED,
    clock: till.clock,
    believed: belief.settled,
    ratesOf: () => rates,
    detailPrices: detailPrices({
      exchange,
      entry,
      trail,
      request,
      admitted: prices,
      rating: ratingOf(hold, { request, pricedAt: delivery.pricedAt }),
    }),
  });
  try {
    await tab.settle({
      exchange,
      usage: made.usage,
      body: made.text,
      job: finish({ text: made.text, isSimulated: false }),
    });
  } catch (error) {
    tab.leave();
    throw error;
  }
  return undefined;
}

/** Removes what the item lost when it was packed. An item that the model would refuse now is read as it is. */
function asSent(
  screening: Omit<Screening, 'entry'>,
  { model }: Pick<Admitted, 'model'>,
): Screening['request'] {
  const entry = screening.exchange.snapshot.catalog.find(model);
  const screened = entry && screenRequest({ ...screening, entry });
  return screened === undefined || screened instanceof Refusal ? screening.request : screened;
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

type Reading = {
  trail: Trail;
  parts: Omit<CarriageParts, 'entry'>;
  target: Target;
  /** The catalog entries to read the answer with, in order of preference. */
  entries: readonly CatalogEntry[];
  text: string;
  /** The model's entry, or a stand-in if the model was removed. */
  entry: CatalogEntry;
  belief: Belief;
};

/** Reconstructs how the request was sent, even if the catalog has changed since. */
function readingOf(
  { exchange, admitted, answered: { provider, upstreamModel, wire, text } }: NativeDelivery,
  { dialect, request }: Pick<CarriageParts, 'dialect' | 'request'>,
  { till, wires, counter, shares }: Pick<Gateway, 'till' | 'wires' | 'counter' | 'shares'>,
): Reading {
  const target: Target = { provider, upstreamModel, weight: 1, wires: [wire] };
  const listed = exchange.snapshot.catalog.find(admitted.model);
  const standIn = entryWithoutRow(admitted.model, target);
  const entry = listed ?? standIn;
  const scope = { keyId: admitted.hold.order.keyId, model: admitted.model };
  const patient = counter.for({ account: admitted.hold.order.accountId, isPatient: true });
  const trail = new Trail(admitted.model);
  trail.begin(target);
  const belief = believeUsage({ exchange, trail, dialect, request, entry, report: till.tellImplausible });
  const estimate = estimateOf({ dialect, request, entry, scope, counter: patient, shares, belief });
  const parts = { dialect, request, wires, exchange, id: answerId(exchange, dialect), estimate };
  return { trail, parts, target, entry, belief, entries: listed ? [listed, standIn] : [standIn], text };
}

function readAnswer({ parts, target, entries, text }: Reading): WholeAnswer | Refusal {
  let refusal = new Refusal('upstream_unavailable');
  for (const entry of entries) {
    const carriage = carriages({ ...parts, entry })(target);
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
