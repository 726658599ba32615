import type { Tool, WorstRequest } from './worst-request.ts';

export type WorstVendor = {
  /** The most tokens that its models write. */
  maxOutput: number;
  /** The tokens that a call returns, if the request has no limit for them. */
  callTokens: number;
  /** The number of calls, if the request has no limit for them. */
  calls: number;
};

/** A call of a hosted tool. */
export type HostedCall = {
  /** The tokens that the call returns to the model. */
  tokens: number;
  /** True if the vendor bills the call as a search. */
  isSearch: boolean;
  /** The model of an advisor. */
  advisor?: string | undefined;
};

/** The types of tools that the vendor runs. */
const HOSTED = /^(web_|code_|advisor|image_generation)/;

const repeated = (call: HostedCall, times: number): HostedCall[] => new Array(times).fill(call);

const toolsWithin = ({ messages = [] }: WorstRequest): Tool[] =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .flatMap(({ tool }) => tool?.definition ?? []);

function callOf({ type = '', ...tool }: Tool, { callTokens, maxOutput }: WorstVendor): HostedCall {
  if (type.startsWith('advisor'))
    return {
      tokens: Math.min(maxOutput, tool.max_tokens ?? maxOutput),
      isSearch: false,
      advisor: tool.model,
    };
  return { tokens: tool.max_content_tokens ?? callTokens, isSearch: type.startsWith('web_search') };
}

/** `web_search_options` costs one fee per request, so only the first search is billed. */
const searchesOfOption = ({ callTokens, calls }: WorstVendor): HostedCall[] => [
  { tokens: callTokens, isSearch: true },
  ...repeated({ tokens: callTokens, isSearch: false }, calls - 1),
];

/** Returns the calls that the request allows, the largest first. */
export function worstCalls(request: WorstRequest, vendor: WorstVendor): HostedCall[] {
  const { tools = [], max_tool_calls, web_search_options } = request;
  const hosted = [...tools, ...toolsWithin(request)].filter(({ type = '' }) => HOSTED.test(type));
  if (max_tool_calls !== undefined && hosted.length > 0)
    return repeated({ tokens: vendor.callTokens, isSearch: true }, max_tool_calls);
  return hosted
    .flatMap((tool) => repeated(callOf(tool, vendor), tool.max_uses ?? vendor.calls))
    .concat(web_search_options === undefined ? [] : searchesOfOption(vendor))
    .sort((one, other) => other.tokens - one.tokens);
}
