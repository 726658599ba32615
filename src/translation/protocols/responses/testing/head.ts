import type { JsonObject } from '../../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../../canonical/request.ts';
import type { ResponseHead } from '../../../contract/response-head.ts';

export const emptyRequest: CanonicalRequest = {
  model: 'm',
  stream: true,
  system: [],
  turns: [],
  tools: [],
  sampling: {},
  hints: {},
};

export function bodyOf(value: JsonObject) {
  const body = parseBodyAtOnce(JSON.stringify(value));
  if ('code' in body) throw new Error(body.message);
  return body;
}

export const headOf = (request: Partial<CanonicalRequest> = {}, body: JsonObject = {}): ResponseHead => ({
  responseId: 'resp_123',
  model: 'asked-for',
  createdAt: 1_750_000_000,
  request: { ...emptyRequest, ...request },
  body: bodyOf({ model: 'asked-for', input: 'hi', ...body }),
});
