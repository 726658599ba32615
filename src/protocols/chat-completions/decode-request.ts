import type { CanonicalRequest } from '../../canonical/request.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { JsonBody } from '../../http/json-body.ts';
import { formatPath, type Path } from '../../schema/format-path.ts';
import type { Validator } from '../../schema/validator.ts';
import { keepOwnFields } from '../own-fields.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeCounts, decodeFormat, decodeHints, decodeSampling, decodeThinking } from './decode-options.ts';
import { decodeTools } from './decode-tools.ts';
import { PROTOCOL } from './protocol.ts';
import type { ChatRequest } from './request-schema.ts';

export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const problem = validate(body.value);
  if (problem) return invalid(problem.path, problem.message);
  const request = body.value as ChatRequest;
  const decoded: CanonicalRequest = {
    model: request.model,
    stream: request.stream === true,
    ...decodeMessages(request.messages),
    ...decodeTools(body, request),
    ...decodeCounts(request),
    sampling: decodeSampling(request),
    ...decodeFormat(body, request),
    ...decodeThinking(request),
    ...(request.verbosity && { verbosity: request.verbosity }),
    hints: decodeHints(request),
    ...keepOwnFields(PROTOCOL, body.value),
  };
  return findContradiction(request, decoded) ?? decoded;
}

const invalid = (path: Path, message: string): Refusal => {
  const param = formatPath(path);
  return new Refusal('invalid_request', { param, message: `${param} ${message}` });
};

/** What each field alone does not show. */
function findContradiction(request: ChatRequest, decoded: CanonicalRequest): Refusal | undefined {
  const { toolChoice: choice, tools } = decoded;
  const field = request.tools || !request.functions ? 'tool_choice' : 'function_call';
  if (choice?.kind === 'any' && tools.length === 0)
    return invalid([field], 'asks for a call, but there are no tools');
  if (choice?.kind === 'named' && !tools.some((tool) => tool.kind !== 'opaque' && tool.name === choice.name))
    return invalid(
      [field],
      `asks for ${JSON.stringify(choice.name.slice(0, 64))}, which is no tool of the request`,
    );
  if (request.top_logprobs && !request.logprobs)
    return invalid(['top_logprobs'], 'needs logprobs to be true');
  return undefined;
}
