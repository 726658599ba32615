import { type ChargedRequest, costOfRequest } from '../../api/usage/cost-of-request.ts';
import { whatIf } from '../../api/usage/what-if.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { entryIdOf, requestIdOf } from '../../money/ledger/entry-id.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Catalog } from '../../settings/catalog/catalog.ts';
import type { RequestBook } from '../../watch/requests/request-book.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const line = Type.Object({
  what: Type.String({ description: 'What was counted, such as `uncached_input` or `output`.' }),
  quantity: Type.Number(),
  unit: Type.String({ description: '`token`, `call`, or the unit of a metered endpoint.' }),
  rate_usd: Type.Number({
    description: 'USD per million tokens, per thousand calls or per other unit, before the factor.',
  }),
  row: Type.String({ description: 'The price row. `base` stands for the base prices.' }),
  condition: orNull(Type.String(), 'When the row applies. `null` means always.'),
  factor: Type.Number({ description: 'What the rate was multiplied by, for example for a tier.' }),
  microcredits: Type.Number({ description: 'The cost of the line, which is not rounded.' }),
});

/** The cost of a request by line. With `what_if`, the prices are others than those that were charged. */
export const requestCost = Type.Object(
  {
    request_id: Type.String(),
    model: Type.String(),
    lines: Type.Array(line),
    microcredits: Type.Integer({ description: 'The sum of the lines, rounded up once.' }),
    what_if: Type.Optional(Type.Literal(true)),
    difference_microcredits: Type.Optional(
      Type.Integer({ description: 'The cost less that of the request as it was served.' }),
    ),
  },
  { title: 'Cost of a Request' },
);

export const costQuery = Type.Object({
  model: Type.Optional(Type.String({ description: 'Prices the same counts on this model.' })),
  row: Type.Optional(
    Type.String({
      pattern: '^\\d{1,3}$',
      expected: 'the number of a price row, such as 0',
      description: 'Prices the same counts on this price row: 0 for the base, 1 for the first condition.',
    }),
  ),
});

type CostParts = {
  ledger: LedgerStore;
  requests: RequestBook;
  catalog: Catalog;
};
/** A question about the cost of a request. `account` limits it to requests of this account. */
type CostQuestion = { id: string; account?: string; model?: string | undefined; row?: string | undefined };

export type CostView = ViewOf<typeof requestCost>;

/** Explains the cost of a request, or computes it on other prices. No provider is called. */
export async function answerCost(
  { ledger, requests, catalog }: CostParts,
  { id, account, ...prices }: CostQuestion,
): Promise<CostView> {
  const isVisible = (owner: string | undefined) => account === undefined || owner === account;
  const requestId = requestIdOf(id);
  const entry = await ledger.findEntry(entryIdOf(id));
  if (entry?.receipt && isVisible(entry.accountId))
    return { request_id: requestId, ...costOn(catalog, { entry, receipt: entry.receipt }, prices) };
  const record = await requests.find(requestId);
  if (!record || !isVisible(record.account)) throw unknownRequest();
  const model = record.served_model ?? record.model ?? '';
  return { request_id: requestId, model, lines: [], microcredits: 0 };
}

/** Returns the cost of a charged request, or what it would be with another model or price row. */
function costOn(
  catalog: Catalog,
  charged: ChargedRequest,
  { model, row }: Pick<CostQuestion, 'model' | 'row'>,
): Omit<CostView, 'request_id'> {
  const servedModel = catalog.find(charged.receipt.servedModel)?.model;
  const cost = costOfRequest(charged, servedModel);
  if (model === undefined && row === undefined) return cost;
  const supposedModel = model === undefined ? servedModel : catalog.find(model)?.model;
  if (!supposedModel) throw new Refusal('unknown_model', { param: 'model' });
  const supposed = whatIf(charged, supposedModel, row === undefined ? undefined : Number(row));
  if (!supposed) throw unknownRow(supposedModel.id);
  const difference = supposed.microcredits - cost.microcredits;
  return { ...supposed, what_if: true, difference_microcredits: difference };
}

const unknownRow = (modelId: string): Refusal =>
  new Refusal('invalid_request', {
    param: 'row',
    message: `${modelId} has no price row with this number.`,
  });

const unknownRequest = (): Refusal =>
  new Refusal('not_found', { message: 'No request with this id is kept, and none was charged.' });
