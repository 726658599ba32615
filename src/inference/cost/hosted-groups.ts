import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import type { CallPrice } from '../../translation/canonical/price-name.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { hostedKindOf } from '../../translation/members/hosted-kind-of.ts';
import type { VendorRunTool } from '../../translation/members/inspection.ts';
import { judgeTools } from '../../translation/members/judge-tools.ts';
import { vendorRunMembers } from '../../translation/members/vendor-run.ts';
import { findAdvisor } from './models-beside.ts';
import type { CallUsage } from './most-usage.ts';
import type { RateChoices } from './rate-choices.ts';

/** The most that one call can cost. `fee`: millionths of a micro-credit. */
export type HostedCall = CallUsage & {
  fee: number;
  /** The model that the call consults, with the tokens that it writes. */
  advisor: { rates: RateChoices; output: number } | undefined;
};

/** Hosted tools that share one limit on their calls. */
export type HostedGroup = {
  /** The name under which the limit is granted. */
  key: string;
  tools: readonly VendorRunTool[];
  /** The member that limits the calls. It is undefined if the vendor has none. */
  limit: 'max_uses' | 'max_tool_calls' | undefined;
  /** The member that limits the tokens of a call. */
  tokenLimit: 'max_content_tokens' | undefined;
  /** The calls that the request allows, or the default. */
  calls: number;
  call: HostedCall;
  /** The request is refused if not even one call is affordable. */
  isNeeded: boolean;
};

/** The most that one group may use. No calls: its tools are removed. */
export type Grant = { calls: number; tokens: number };

export type HostedQuestion = {
  exchange: Pick<Exchange, 'snapshot'>;
  entry: CatalogEntry;
  /** The models for which the amount is held. */
  servers: readonly CatalogEntry[];
  dialect: Pick<Dialect, 'wire' | 'inspect'>;
  request: Pick<InferenceRequest, 'body' | 'runsTools' | 'extras'>;
  /** The prices of calls. */
  extras: ExtraRates;
  rates: RateChoices;
  ratesOf(entry: CatalogEntry): RateChoices;
};

const NONE: readonly HostedGroup[] = [];

/** Reports whether a request may cause calls of hosted tools. Most requests cannot. */
export const mayRunTools = ({
  runsTools,
  extras,
  body,
}: Pick<InferenceRequest, 'body' | 'extras'> & { runsTools?: true | undefined }): boolean =>
  runsTools === true || hasCertain(extras) || vendorRunMembers.some((name) => isOn(body.value[name]));

function hasCertain(extras: HostedQuestion['request']['extras']): boolean {
  for (const _ in extras?.certain) return true;
  return false;
}

const isOn = (value: unknown): boolean =>
  value != null &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0) &&
  objectOf(value)['mode'] !== 'off';

/** Lists what the vendor may run for a request, by the limits that its protocol has. */
export function hostedGroups(question: HostedQuestion): readonly HostedGroup[] {
  const { entry, servers, dialect, request } = question;
  if (isSimulated(entry) || !mayRunTools(request)) return NONE;
  // The tools of a vendor are removed on the wires of others.
  const isOwn = (server: CatalogEntry) => server.targets.some(({ wires }) => wires.includes(dialect.wire));
  if (!servers.some(isOwn)) return NONE;
  const { vendorRun = [], tools } = dialect.inspect(request.body.value);
  const groups = [...ofTools(vendorRun, question), ...ofMembers(vendorRun, question)];
  return markNeeded(groups, { body: request.body.value, tools });
}

/** Further tools are not granted, and so they are removed. No vendor has as many. */
const MAX_TOOLS = 32;

function ofTools(tools: readonly VendorRunTool[], question: HostedQuestion): HostedGroup[] {
  if (tools.length === 0) return [];
  if (question.dialect.wire !== 'openai-responses')
    return tools.slice(0, MAX_TOOLS).map((tool) => ofTool(tool, question));
  const { calls: usual } = usualLimits(question);
  const wantedCalls = countOf(question.request.body.value['max_tool_calls']);
  const all = tools.map(({ tool }) => callOf(tool, question));
  return [
    {
      key: 'max_tool_calls',
      tools,
      limit: 'max_tool_calls',
      tokenLimit: undefined,
      isNeeded: false,
      calls: wantedCalls ?? usual,
      call: {
        tokens: Math.max(...all.map(({ tokens }) => tokens)),
        written: Math.max(...all.map(({ written }) => written)),
        fee: Math.max(...all.map(({ fee }) => fee)),
        advisor: undefined,
      },
    },
  ];
}

/** The tools whose calls the vendor of the messages protocol limits. */
const LIMITED = /^(web_search|web_fetch|advisor)(_|$)/;
const FETCH = /^web_fetch(_|$)/;

function ofTool(one: VendorRunTool, question: HostedQuestion): HostedGroup {
  const { tool, name } = one;
  const { calls: usual } = usualLimits(question);
  const type = textOf(tool['type']) ?? '';
  const isMessages = question.dialect.wire === 'anthropic-messages';
  const isLimited = isMessages && LIMITED.test(type);
  return {
    key: `${type} ${name}`,
    tools: [one],
    isNeeded: false,
    limit: isLimited ? 'max_uses' : undefined,
    tokenLimit: isMessages && FETCH.test(type) ? 'max_content_tokens' : undefined,
    calls: (isLimited ? countOf(tool['max_uses']) : undefined) ?? usual,
    call: callOf(tool, question),
  };
}

/** Groups members that let the vendor run tools. They have no limit, and the answer depends on them. */
function ofMembers(tools: readonly VendorRunTool[], question: HostedQuestion): HostedGroup[] {
  const { request, extras } = question;
  const { calls, tokens, image } = usualLimits(question);
  const certain = Object.keys(request.extras?.certain ?? {}) as CallPrice[];
  const on = vendorRunMembers.filter((name) => isOn(request.body.value[name]) && !isListed(name, tools));
  const searches = on.length > 0 && certain.length === 0;
  const names: (CallPrice | 'other')[] = searches ? ['other'] : certain;
  return names.map((name) => ({
    key: name,
    tools: [],
    limit: undefined,
    tokenLimit: undefined,
    isNeeded: true,
    calls,
    call: {
      tokens: name === 'image_generation' ? 0 : tokens,
      written: name === 'image_generation' ? image : 0,
      fee: name === 'other' ? 0 : (extras.units[name] ?? 0),
      advisor: undefined,
    },
  }));
}

/** The tools of MCP servers are in a toolset. */
const isListed = (member: string, tools: readonly VendorRunTool[]): boolean =>
  member === 'mcp_servers' && tools.some(({ tool }) => textOf(tool['type'])?.startsWith('mcp'));

/** Tools that only find others. Their results are in the prompt already. */
const FINDS_TOOLS = /^tool_search(_|$)/;

function callOf(tool: VendorRunTool['tool'], question: HostedQuestion): HostedCall {
  const { request, extras } = question;
  const { tokens: usual, image } = usualLimits(question);
  const type = textOf(tool['type']) ?? '';
  if (type.startsWith('advisor')) return adviceOf(tool, question);
  const price = hostedKindOf(tool)?.price;
  const isPriced = price !== undefined && request.extras?.priced.includes(price);
  const fee = (isPriced && extras.units[price]) || 0;
  const common = { fee, advisor: undefined };
  if (price === 'image_generation') return { ...common, tokens: image, written: image };
  if (FINDS_TOOLS.test(type)) return { ...common, tokens: 0, written: 0 };
  const wantedTokens = FETCH.test(type) ? countOf(tool['max_content_tokens'], MAX_TOKENS) : undefined;
  return { ...common, tokens: wantedTokens ?? usual, written: 0 };
}

/** An advisor reads the conversation and writes advice, which the model reads in its later turns. */
function adviceOf(tool: VendorRunTool['tool'], question: HostedQuestion): HostedCall {
  const { exchange, entry, ratesOf } = question;
  const advisor = findAdvisor(textOf(tool['model']), exchange.snapshot.catalog) ?? entry;
  const { maxOutput, contextWindow } = advisor.model;
  const output = Math.min(maxOutput ?? contextWindow, countOf(tool['max_tokens'], MAX_TOKENS) ?? Infinity);
  const rates = advisor === entry ? question.rates : ratesOf(advisor);
  return { tokens: output, written: 0, fee: 0, advisor: { rates, output } };
}

const MAX_CALLS = 500;
const MAX_TOKENS = 10_000_000;

const countOf = (value: unknown, most = MAX_CALLS): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, most) : undefined;

function usualLimits({ exchange }: HostedQuestion) {
  const { hosted_tool_calls, hosted_tool_tokens, image_tokens } = exchange.snapshot.config.limits;
  return { calls: hosted_tool_calls, tokens: hosted_tool_tokens, image: image_tokens };
}

type Offer = { body: InferenceRequest['body']['value']; tools: number };

/**
 * Marks the groups without which the request cannot be answered.
 * If the only tools are hosted, one of them is.
 */
function markNeeded(groups: readonly HostedGroup[], offer: Offer): readonly HostedGroup[] {
  const marked = groups.map((group) =>
    group.isNeeded || isNeeded(group.tools, offer) ? { ...group, isNeeded: true } : group,
  );
  if (marked.some((group) => group.isNeeded)) return marked;
  if (
    !isNeeded(
      groups.flatMap(({ tools }) => tools),
      offer,
    )
  )
    return marked;
  const cheapest = marked.toSorted((one, other) => costliness(one) - costliness(other))[0];
  return marked.map((group) => (group === cheapest ? { ...group, isNeeded: true } : group));
}

const costliness = ({ calls, limit, call }: HostedGroup): number =>
  (limit ? 1 : calls) * (call.tokens + call.written + (call.advisor ? MAX_TOKENS : 0));

const isNeeded = (tools: readonly VendorRunTool[], { body, tools: count }: Offer): boolean =>
  'problem' in judgeTools({ body, unserved: tools.map(unservedTool), tools: count });

/** Returns the tool in the form in which it is judged when it is not served. */
export const unservedTool = ({ tool, path, name }: VendorRunTool) => ({
  path,
  name,
  extra: hostedKindOf(tool)?.extra,
});
