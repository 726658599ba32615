import type { Static } from 'typebox';
import type { Reply } from '../../edge/http/reply.ts';
import type { ListedResponse } from '../../inference/responses/response-store.ts';
import { accountFigures } from '../../money/accounts/plan-terms.ts';
import { storedView } from '../../money/limits/stored-bytes.ts';
import { recordContentRead } from '../../watch/requests/record-content-read.ts';
import { accepted } from '../routes/accepted.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import type { WithParams, WithQuery } from '../routes/typed-route.ts';
import type { deletedAnswer } from './batch-schema.ts';
import { changeBy } from './change-by.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { downloadReply } from './download-reply.ts';
import { DEFAULT_ROWS, type listQuery } from './list-query.ts';
import type { ResponseDetail, ResponseItems, ResponseList } from './response-schema.ts';
import { responseDetailView, responseItemsView, responseView } from './response-views.ts';

type ResponseCall<Input = unknown> = OrganizationCall<WithParams<'id'> & Input>;

/** Lists the stored responses of all keys of an organization, with the storage that they use. */
export async function listResponses(
  { exchange, accountId, query }: OrganizationCall<WithQuery<typeof listQuery>>,
  { responses, accounts, stored }: DashboardParts,
): Promise<ResponseList> {
  const { limit = DEFAULT_ROWS, after } = query;
  const account = accepted(await accounts.find(accountId));
  const page = await responses.list({ accountId, limit, after });
  if (!page) throw unknownAfter('a stored response');
  const { storedMb } = accountFigures(account, exchange.snapshot.plans);
  const storage = storedView(await stored.storedBytes(accountId), storedMb);
  return { data: page.items.map(responseView), has_more: page.hasMore, storage };
}

export async function deleteResponse(
  { params: { id }, accountId, visitor }: ResponseCall,
  { responses, accounts }: DashboardParts,
): Promise<Static<typeof deletedAnswer>> {
  accepted(await responses.delete({ accountId, id }));
  await accounts.record('response-delete', id, changeBy(visitor, accountId));
  return { id, deleted: true };
}

/** Shows a response with its output and its conversation. */
export const showResponse = (call: ResponseCall, parts: DashboardParts): Promise<ResponseDetail> =>
  readResponse(call, parts, 'output', async (response) => {
    const envelope = accepted(await parts.responses.envelope(call.exchange, response));
    return responseDetailView(response, await parts.responses.chain(response, call.accountId), envelope);
  });

/** Lists the input items of a response. */
export const listResponseItems = (
  call: ResponseCall<WithQuery<typeof listQuery>>,
  parts: DashboardParts,
): Promise<ResponseItems> =>
  readResponse(call, parts, 'input', async (response) => {
    const { limit = DEFAULT_ROWS, after } = call.query;
    const page = await parts.responses.items(call.exchange, response, { limit, after });
    return responseItemsView(accepted(page));
  });

/** Sends a response as a file. */
export const downloadResponse = (call: ResponseCall, parts: DashboardParts): Promise<Reply> =>
  readResponse(call, parts, 'download', async (response) => {
    const body = accepted(await parts.responses.envelope(call.exchange, response));
    const name = `${response.id.replace(/\W/g, '')}.json`;
    return downloadReply({ body, type: 'application/json', name });
  });

/** Finds a response of the organization, answers with it, and records that the visitor has read the part. */
async function readResponse<Answer>(
  { accountId, params, visitor }: ResponseCall,
  { responses, accounts }: DashboardParts,
  part: 'output' | 'input' | 'download',
  answer: (response: ListedResponse) => Promise<Answer>,
): Promise<Answer> {
  const response = accepted(await responses.find({ accountId, id: params.id }));
  const view = await answer(response);
  const reading = { actor: visitor.email, accountId, kind: 'response', id: response.id, part } as const;
  await recordContentRead(accounts, reading);
  return view;
}
