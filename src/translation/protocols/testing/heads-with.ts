import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import type { ResponseHead } from '../../contract/response-head.ts';

export const bodyOf = (value: JsonObject): JsonBody =>
  acceptedOrError(parseBodyAtOnce(JSON.stringify(value)));

/** Creates heads of answers with this id. A head has fields of the request in both of its forms. */
export const headsWith =
  (responseId: string) =>
  (request: Partial<CanonicalRequest> = {}, body: JsonObject = {}): ResponseHead => ({
    responseId,
    model: 'asked-for',
    createdAt: 1_750_000_000,
    request: plainRequest(request),
    body: bodyOf({ model: 'asked-for', input: 'hi', ...body }),
  });
