import { createValidator } from '../../schema/validator.ts';
import type { DialectCodec } from '../codec.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { createStreamEncoder } from './encode-stream.ts';
import { PROTOCOL } from './protocol.ts';
import { requestSchema } from './request-schema.ts';

export function createChatDialectCodec(): DialectCodec {
  const validate = createValidator(requestSchema);
  return {
    id: PROTOCOL,
    decodeRequest: (body) => decodeRequest(body, validate),
    streamEncoder: createStreamEncoder,
    encodeResponse,
  };
}
