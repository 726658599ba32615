import type { JsonBody, JsonObject } from '../../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../../canonical/request.ts';
import type { ResponseHead } from '../../../contract/response-head.ts';

export const emptyRequest: CanonicalRequest = {
  model: 'm',
  stream: false,
  system: [],
  turns: [],
  tools: [],
  sampling: {},
  hints: {},
};

export const bodyOf = (value: JsonObject): JsonBody => parseBodyAtOnce(JSON.stringify(value)) as JsonBody;

export const headOf = (request: Partial<CanonicalRequest> = {}, body: JsonObject = {}): ResponseHead => ({
  responseId: 'chatcmpl-1',
  model: 'asked-for',
  createdAt: 1_750_000_000,
  request: { ...emptyRequest, ...request },
  body: bodyOf({ model: 'asked-for', ...body }),
});
