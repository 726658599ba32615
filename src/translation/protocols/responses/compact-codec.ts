import { Refusal } from '../../../base/errors/refusal.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { DialectCodec } from '../../contract/dialect-codec.ts';
import { RECAP_ORDER } from '../../encoding/recap.ts';
import { compactionObject } from './compaction-object.ts';
import { encodeResponse } from './encode-response.ts';
import { responsesDialect } from './responses-dialect-codec.ts';

const { answerFinisher: _, ...responses } = responsesDialect;

/** Has the model itself summarize the conversation. */
export const compactCodec: DialectCodec = {
  ...responses,
  decodeRequest(body) {
    const request = responses.decodeRequest(body);
    return request instanceof Refusal ? request : withOrder(request);
  },
  encodeResponse: (response, head) => compactionObject(encodeResponse(response, head)),
};

function withOrder(request: CanonicalRequest): CanonicalRequest {
  const { format: _format, ...rest } = request;
  return {
    ...rest,
    stream: false,
    turns: [...request.turns, { role: 'user', parts: [{ kind: 'text', text: RECAP_ORDER }] }],
    toolChoice: { kind: 'none' },
    compacts: true,
  };
}
