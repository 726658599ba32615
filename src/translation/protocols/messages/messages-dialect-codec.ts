import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { DialectCodec } from '../../contract/dialect-codec.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { MessagesStreamEncoder } from './messages-stream-encoder.ts';
import { countRequestSchema, messagesRequestSchema } from './request-schema.ts';

export type MessagesDialectCodec = DialectCodec & {
  /** Decodes the body of a token count, which needs no `max_tokens`. */
  decodeCountRequest(body: JsonBody): CanonicalRequest | Refusal;
};

const paramNames = {
  parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
  reasoning_effort: 'output_config.effort',
  response_format: 'output_config.format',
  user: 'metadata.user_id',
};

export function createMessagesDialectCodec(): MessagesDialectCodec {
  const validate = createValidator(messagesRequestSchema);
  const validateCount = createValidator(countRequestSchema);
  return {
    id: 'messages',
    decodeRequest: (body) => decodeRequest(body, validate),
    decodeCountRequest: (body) => decodeRequest(body, validateCount),
    streamEncoder: (head, estimate) => {
      const encoder = new MessagesStreamEncoder(head, estimate);
      return (event) => encoder.encode(event);
    },
    encodeResponse,
    paramNames,
  };
}
