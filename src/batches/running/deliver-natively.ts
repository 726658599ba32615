import { Refusal } from '../../base/errors/refusal.ts';
import type { FinishedJob } from '../../base/jobs/job.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteModel } from '../../inference/admission/note-model.ts';
import type { CarriedRequest } from '../../inference/carriage/carried-request.ts';
import { Carrier } from '../../inference/carriage/carrier.ts';
import { ReopenedRequest } from '../../inference/hold/reopened-request.ts';
import { type ScreenedRequest, screenRequest } from '../../inference/qualification/screen-request.ts';
import type { Services } from '../../inference/request/services.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import type { NativeDelivery } from '../native/native-lane-parts.ts';
import { entryWithoutRow } from './entry-without-row.ts';

/** An answer of a provider's own batch, with the request that was admitted when it was packed. */
export type DeliveredRequest = NativeDelivery & {
  exchange: Exchange;
  body: JsonBody;
  finish(answer: { text: string; isSimulated: boolean }): FinishedJob;
  /** The time that prices are taken at. */
  pricedAt: number;
};

/**
 * Writes the answer as the item's result, with its charge. Key, account, credits and model are not checked
 * again, since the provider has already done the work. Throws if the store is unavailable. The hold then
 * stays.
 */
export async function deliverNatively(
  delivery: DeliveredRequest,
  dialect: Dialect,
  services: Services,
): Promise<Refusal | undefined> {
  const { exchange, body, admitted, pricedAt, finish } = delivery;
  noteDelivery(delivery);
  const read = dialect.read(body);
  if (read instanceof Refusal) return read;
  const { provider, upstreamModel, wire, text } = delivery.answer;
  const target: Target = { provider, upstreamModel, weight: 1, wires: [wire] };
  const listed = exchange.snapshot.catalog.find(admitted.model);
  const standIn = entryWithoutRow(admitted.model, target);
  const request = listed ? asSent({ exchange, dialect, request: read, entry: listed }) : read;
  const reopened = new ReopenedRequest(
    { exchange, dialect, request, entry: listed ?? standIn, target, admitted, pricedAt },
    services,
  );
  const carriage = carriageBy(reopened.carried, { target, entries: listed ? [listed, standIn] : [standIn] });
  if (carriage instanceof Refusal) return carriage;
  const answer = readAnswer(carriage, text);
  if (answer instanceof Refusal) return answer;
  const tab = reopened.openTab();
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

function noteDelivery({ exchange, body, admitted: { hold, model }, answer }: DeliveredRequest): void {
  noteModel(exchange, body.value['model']);
  const { accountId, keyId } = hold.order;
  Object.assign(exchange.notes, { accountId, keyId, servedModel: model, provider: answer.provider.id });
}

/**
 * Removes what the item lost when it was packed. An item that the model would refuse now is read as it is.
 */
function asSent(read: ScreenedRequest): InferenceRequest {
  const screened = screenRequest(read);
  return screened instanceof Refusal ? read.request : screened;
}

/**
 * Returns the carriage with which the answer is read. If the model refuses the request now, the next entry is
 * tried.
 */
function carriageBy(
  carried: CarriedRequest,
  { target, entries }: { target: Target; entries: readonly CatalogEntry[] },
): Carriage | Refusal {
  let refusal = new Refusal('upstream_unavailable');
  for (const entry of entries) {
    const carriage = new Carrier({ ...carried, entry }).carriageAtOnce(target);
    if (!(carriage instanceof Refusal)) return carriage;
    refusal = carriage;
  }
  return refusal;
}

function readAnswer(carriage: Carriage, text: string): WholeAnswer | Refusal {
  try {
    return carriage.readAnswer(text);
  } catch (error) {
    return error instanceof RefusedAnswer
      ? error.refusal
      : new Refusal('upstream_unavailable', { cause: error });
  }
}
