import { costOfRequest } from '../../api/usage/cost-of-request.ts';
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
  ledger: Pick<LedgerStore, 'findEntry'>;
  requests: Pick<RequestBook, 'find'>;
  catalog: Catalog;
};
type CostQuestion = { id: string; account?: string; model?: string | undefined; row?: string | undefined };

/** Explains the cost of a request, or computes it on other prices. No provider is called. */
export async function answerCost(
  { ledger, requests, catalog }: CostParts,
  { id, account, model, row }: CostQuestion,
): Promise<ViewOf<typeof requestCost> | Refusal> {
  const requestId = requestIdOf(id);
  const entry = await ledger.findEntry(entryIdOf(id));
  const isTheirs = (owner: string | undefined) => account === undefined || owner === account;
  if (!entry?.receipt || !isTheirs(entry.accountId)) {
    const record = await requests.find(requestId);
    if (!record || !isTheirs(record.account)) return unknownRequest();
    return {
      request_id: requestId,
      model: record.served_model ?? record.model ?? '',
      lines: [],
      microcredits: 0,
    };
  }
  const charged = { entry, receipt: entry.receipt };
  const served = catalog.find(entry.receipt.servedModel)?.model;
  const cost = costOfRequest(charged, served);
  if (model === undefined && row === undefined) return { request_id: requestId, ...cost };
  const other = model === undefined ? served : catalog.find(model)?.model;
  if (!other) return new Refusal('unknown_model', { param: 'model' });
  const supposed = whatIf(charged, other, row === undefined ? undefined : Number(row));
  if (!supposed)
    return new Refusal('invalid_request', {
      param: 'row',
      message: `${other.id} has no price row with this number.`,
    });
  return {
    request_id: requestId,
    ...supposed,
    what_if: true,
    difference_microcredits: supposed.microcredits - cost.microcredits,
  };
}

const unknownRequest = () =>
  new Refusal('not_found', { message: 'No request with this id is kept, and none was charged.' });
