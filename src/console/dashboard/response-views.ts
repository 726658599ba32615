import type { ChainLink } from '../../api/responses/account-responses.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { ListedResponse } from '../../inference/responses/response-store.ts';
import type { ResponseDetail, ResponseItems, StoredResponseView } from './response-schema.ts';
import { shortenTexts } from './shorten-texts.ts';

/** Shows a stored response as a row of the list. */
export const responseView = (response: ListedResponse): StoredResponseView => ({
  id: response.id,
  key_id: response.keyId,
  model: response.model,
  created_at: isoTime(response.createdAt),
  expires_at: isoTime(response.expiresAt),
  bytes: response.bytes,
  previous_response_id: response.previousId,
  turns: response.turns,
});

type Envelope = { status?: unknown; instructions?: unknown; output?: unknown[]; usage?: unknown };

/** Shows a stored response with its conversation. `envelope` is the response as it was sent. */
export function responseDetailView(
  response: ListedResponse,
  chain: readonly ChainLink[],
  envelope: string,
): ResponseDetail {
  const { status, instructions, output, usage } = JSON.parse(envelope) as Envelope;
  const { value, isCut } = shortenTexts({ instructions, output });
  const shortened = value as Envelope;
  return {
    ...responseView(response),
    chain: chain.map(linkView),
    status: String(status ?? 'completed'),
    instructions: typeof shortened.instructions === 'string' ? shortened.instructions : null,
    output: shortened.output ?? [],
    usage: usage ?? null,
    is_cut: isCut,
  };
}

const linkView = ({ id, response }: ChainLink): ResponseDetail['chain'][number] => ({
  id,
  model: response?.model ?? null,
  created_at: response ? isoTime(response.createdAt) : null,
});

/** Shows a page of the input items of a response, from its JSON text. */
export function responseItemsView(page: string): ResponseItems {
  const { data, has_more, last_id } = JSON.parse(page) as Omit<ResponseItems, 'is_cut'>;
  const { value, isCut } = shortenTexts(data);
  return { data: value as unknown[], has_more, last_id, is_cut: isCut };
}
