import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { upstreamFacts } from './upstream-facts.ts';

export type BannerFacts = {
  snapshot: Snapshot;
  url: string;
  /** The address of the listener for operators, if there is a second one. */
  adminUrl: string | undefined;
  /** Undefined if only the node that made the token knows it. */
  adminToken: string | undefined;
  adminTokenFile: string;
  firstKey: string | undefined;
  firstKeyFile: string;
};

type Row = [name: string, value: string];

const ELSEWHERE = 'the token in the data directory of the node that made it';
const MAX_LISTED = 8;

/** Formats the start message: the addresses, the sign-in, and a request to paste. */
export function banner(facts: BannerFacts): string {
  const { url, adminUrl = url, adminToken, adminTokenFile, firstKey, firstKeyFile, snapshot } = facts;
  const rows: Row[] = [
    ['Address', url],
    ['Base URL', `${url}/v1`],
    ['Dashboard', `${adminUrl}/`],
    ['Admin sign-in', adminToken ? `${adminToken}   (in ${adminTokenFile})` : ELSEWHERE],
  ];
  if (firstKey) rows.push(['First API key', `${firstKey}   (in ${firstKeyFile}; you can delete the file)`]);
  rows.push(...upstreamRows(snapshot));
  const lines = rows.map(([name, value]) => `  ${`${name}:`.padEnd(15)} ${value}`);
  const curl = exampleRequest(snapshot, url, firstKey ?? 'YOUR_API_KEY');
  return `\nTollgate is ready.\n\n${lines.join('\n')}\n${curl ? `\nTry it:\n\n${curl}\n` : ''}\n`;
}

/** Says which providers are called, and which models the simulator answers for. */
function upstreamRows(snapshot: Snapshot): Row[] {
  const { liveProviders, realModels, simulatedModels } = upstreamFacts(snapshot);
  const rows: Row[] = [];
  if (liveProviders.length > 0) rows.push(['Providers', liveProviders.join(', ')]);
  if (realModels > 0) rows.push(['Models', `${realModels} with a provider`]);
  if (realModels + simulatedModels.length === 0)
    rows.push(['Models', 'none: no provider is set up for a model']);
  else if (realModels === 0)
    rows.push(['Simulated', 'all models, free of charge, until a provider is set up']);
  else if (simulatedModels.length > 0) rows.push(['Simulated', shortList(simulatedModels)]);
  return rows;
}

/** Lists the first ids, and the number of the others. */
const shortList = (ids: readonly string[]): string =>
  ids.length <= MAX_LISTED
    ? ids.join(', ')
    : `${ids.slice(0, MAX_LISTED).join(', ')} and ${ids.length - MAX_LISTED} more`;

/** Returns a request to paste, or undefined if no model can be called. */
function exampleRequest(snapshot: Snapshot, url: string, key: string): string | undefined {
  const entry = exampleEntry(snapshot);
  if (!entry) return undefined;
  const body = JSON.stringify({
    model: entry.model.id,
    messages: [{ role: 'user', content: 'Hello, who are you?' }],
  });
  return `curl ${url}/v1/chat/completions -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${body}'`;
}
