import type { JsonObject } from '../../base/json/json-body.ts';
import { isHostedShell } from './is-hosted-shell.ts';

/** Matches the types of tools that the client runs, in the words of all dialects, some with a date suffix. */
const CLIENTS_OWN =
  /^(function|custom|namespace|(local_)?shell|apply_patch|bash|text_editor|computer|memory)(_use_preview|_\d{8})?$/;

/** Reports whether the vendor runs a tool. A shell in a container runs at the vendor. */
export function isVendorRun(tool: JsonObject): boolean {
  const { type, execution } = tool;
  if (type === 'function' || typeof type !== 'string') return false;
  if (type === 'shell') return isHostedShell(tool);
  if (type === 'tool_search') return execution !== 'client';
  return !CLIENTS_OWN.test(type);
}

/** Members that enable the vendor's own tools without a list of tools. */
// biome-ignore format: a line for each group
export const vendorRunMembers = [
  'web_search_options', 'search_parameters', 'enable_search', 'mcp_servers', 'plugins',
] as const;
