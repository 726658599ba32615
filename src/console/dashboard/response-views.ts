import type { ChainLink } from '../../api/responses/account-responses.ts';
import { isObject } from '../../base/lib/is-object.ts';
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

/** A response as it was sent, or an interaction, whose members have other names. */
type Envelope = {
  status?: unknown;
  instructions?: unknown;
  system_instruction?: unknown;
  output?: unknown[];
  steps?: unknown[];
  usage?: unknown;
};

/** Shows a stored response with its conversation. `envelope` is the response as it was sent. */
export function responseDetailView(
  response: ListedResponse,
  chain: readonly ChainLink[],
  envelope: string,
): ResponseDetail {
  const { status, usage, ...sent } = JSON.parse(envelope) as Envelope;
  const { instructions = sent.system_instruction, output = sent.steps } = sent;
  const { value, isCut } = shortenTexts({ instructions, output });
  const shortened = value as Envelope;
  return {
    ...responseView(response),
    chain: chain.map(linkView),
    status: String(status ?? 'completed'),
    instructions: typeof shortened.instructions === 'string' ? shortened.instructions : null,
    output: shortened.output ?? [],
    usage: usageOf(usage),
    is_cut: isCut,
  };
}

/** Shows the usage of an interaction by the names that responses have for it. */
function usageOf(usage: unknown): unknown {
  if (!isObject(usage) || !('total_input_tokens' in usage)) return usage ?? null;
  const { total_input_tokens, total_output_tokens, total_thought_tokens } = usage;
  return {
    input_tokens: total_input_tokens,
    output_tokens: Number(total_output_tokens ?? 0) + Number(total_thought_tokens ?? 0),
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
