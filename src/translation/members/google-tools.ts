import type { JsonObject } from '../../base/json/json-body.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import { foldName } from './fold-name.ts';

/** A tool that Google runs. `name`: the member or the type that offers it. */
export type HostedGoogleTool = GoogleTool & { name: string };

type GoogleTool = { extra: Extra; loss: LossCode };

/**
 * The tools that Google runs, by the member that offers each. The vendor reports no count of their calls and
 * takes no limit for them, so none has a price.
 */
const hosted: Readonly<Record<string, GoogleTool>> = {
  googleSearch: { extra: 'web_search', loss: 'web-search' },
  googleSearchRetrieval: { extra: 'web_search', loss: 'web-search' },
  enterpriseWebSearch: { extra: 'web_search', loss: 'web-search' },
  exaAiSearch: { extra: 'web_search', loss: 'web-search' },
  parallelAiSearch: { extra: 'web_search', loss: 'web-search' },
  googleMaps: { extra: 'web_search', loss: 'web-search' },
  urlContext: { extra: 'web_search', loss: 'web-search' },
  codeExecution: { extra: 'code_execution', loss: 'code-execution' },
  fileSearch: { extra: 'file_search', loss: 'file-search' },
  retrieval: { extra: 'file_search', loss: 'file-search' },
  mcpServers: { extra: 'mcp', loss: 'mcp' },
};

/** The hosted tools by their folded names, since some readers accept a name in any case. */
const byFoldedName: ReadonlyMap<string, GoogleTool> = new Map(
  Object.entries(hosted).map(([name, tool]) => [foldName(name), tool]),
);

const clientRun: ReadonlySet<string> = new Set(['functionDeclarations', 'computerUse']);

/** The tools that Google runs, by their type in the Interactions API. */
const hostedByType: Readonly<Record<string, GoogleTool>> = {
  google_search: { extra: 'web_search', loss: 'web-search' },
  google_maps: { extra: 'web_search', loss: 'web-search' },
  url_context: { extra: 'web_search', loss: 'web-search' },
  code_execution: { extra: 'code_execution', loss: 'code-execution' },
  file_search: { extra: 'file_search', loss: 'file-search' },
  retrieval: { extra: 'file_search', loss: 'file-search' },
  mcp_server: { extra: 'mcp', loss: 'mcp' },
};

/** Returns the member of a tool that the vendor runs. */
export function hostedGoogleTool(tool: JsonObject): HostedGoogleTool | undefined {
  for (const name in tool) {
    const hostedTool = byFoldedName.get(foldName(name));
    if (hostedTool) return { name, ...hostedTool };
  }
  return undefined;
}

/** Returns the member of a tool that this gateway does not know. */
export const unknownGoogleTool = (tool: JsonObject): string | undefined =>
  Object.keys(tool).find((name) => !clientRun.has(name) && !byFoldedName.has(foldName(name)));

/** Returns what a tool of the Interactions API costs, if the vendor runs it. */
export function hostedInteractionTool({ type }: JsonObject): HostedGoogleTool | undefined {
  const name = String(type);
  const tool = lookUp(hostedByType, name);
  return tool && { name, ...tool };
}
