import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { CallPrice } from '../canonical/price-name.ts';
import { isHostedShell } from './is-hosted-shell.ts';

type UnpricedKind = { extra: Extra; loss: LossCode };

/** The cost and the loss of a hosted tool. `price`: the price of its calls, if the catalog can have one. */
type HostedKind = UnpricedKind & { price: CallPrice | undefined };

/** The hosted tools that the catalog can price. */
const priceOf: Readonly<Partial<Record<Extra, CallPrice>>> = {
  web_search: 'web_search',
  image_generation: 'image_generation',
};

/** The type names of tools that vendors run and charge for. Dated and preview versions share the prefix. */
const kinds: readonly (readonly [type: string, kind: UnpricedKind])[] = [
  ['web_search', { extra: 'web_search', loss: 'web-search' }],
  ['browser_search', { extra: 'web_search', loss: 'web-search' }],
  ['enterprise_web_search', { extra: 'web_search', loss: 'web-search' }],
  ['google_search', { extra: 'web_search', loss: 'web-search' }],
  ['google_maps', { extra: 'web_search', loss: 'web-search' }],
  ['live_search', { extra: 'web_search', loss: 'web-search' }],
  ['x_search', { extra: 'x_search', loss: 'web-search' }],
  ['code_execution', { extra: 'code_execution', loss: 'code-execution' }],
  ['code_interpreter', { extra: 'code_interpreter', loss: 'code-execution' }],
  ['image_generation', { extra: 'image_generation', loss: 'image-generation' }],
  ['file_search', { extra: 'file_search', loss: 'file-search' }],
  ['collections_search', { extra: 'file_search', loss: 'file-search' }],
  ['document_library', { extra: 'file_search', loss: 'file-search' }],
  ['retrieval', { extra: 'file_search', loss: 'file-search' }],
  ['mcp', { extra: 'mcp', loss: 'mcp' }],
];

const SHELL: HostedKind = { extra: 'shell', loss: 'code-execution', price: undefined };
const SEARCH: HostedKind = { extra: 'web_search', loss: 'web-search', price: 'web_search' };

/** The tools that clients run. They are checked first, since nearly every tool is one of them. */
const runByClient = new Set<unknown>(['function', 'custom', 'namespace', undefined, null]);

/** Matches the name of a reseller before a type. */
const RESELLER = /^[a-z]+:/;

/**
 * Returns the hosted kind of a tool that costs more than its tokens. Returns undefined for tools that run at
 * the client, are free, or are unknown.
 */
export function hostedKindOf(tool: JsonObject): HostedKind | undefined {
  const { type } = tool;
  if (runByClient.has(type) || typeof type !== 'string') return undefined;
  if (type === 'shell') return isHostedShell(tool) ? SHELL : undefined;
  if (type === 'builtin_function') return isSearch(tool) ? SEARCH : undefined;
  const word = type.replace(RESELLER, '');
  const kind = kinds.find(([name]) => word === name || word.startsWith(`${name}_`))?.[1];
  return kind && { ...kind, price: priceOf[kind.extra] };
}

/** Moonshot declares its search as a function of this name. */
const isSearch = (tool: JsonObject): boolean => textOf(objectOf(tool.function).name) === '$web_search';
