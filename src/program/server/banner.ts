import { isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

export type BannerFacts = {
  snapshot: Snapshot;
  url: string;
  /** The address of the listener for operators, if there is a second one. */
  adminUrl: string | undefined;
  /** It is undefined if only the node that made the token knows it. */
  adminToken: string | undefined;
  adminTokenFile: string;
  firstKey: string | undefined;
  firstKeyFile: string;
};

const ELSEWHERE = 'the token in the data directory of the node that made it';

/** Formats the start message: the addresses, the sign-in, and a request to paste. */
export function banner(facts: BannerFacts): string {
  const { url, adminUrl = url, adminToken, adminTokenFile, firstKey, firstKeyFile, snapshot } = facts;
  const rows: [string, string][] = [
    ['Address', url],
    ['Base URL', `${url}/v1`],
    ['Dashboard', `${adminUrl}/`],
    ['Admin sign-in', adminToken ? `${adminToken}   (in ${adminTokenFile})` : ELSEWHERE],
    ...(firstKey
      ? [['First API key', `${firstKey}   (in ${firstKeyFile}; you can delete the file)`] as [string, string]]
      : []),
    ...upstreams(snapshot),
  ];
  const lines = rows.map(([name, value]) => `  ${`${name}:`.padEnd(15)} ${value}`);
  const curl = exampleRequest(snapshot, url, firstKey ?? 'YOUR_API_KEY');
  return `\nTollgate is ready.\n\n${lines.join('\n')}\n${curl ? `\nTry it:\n\n${curl}\n` : ''}\n`;
}

/** Says which providers are called, and which models the simulator answers for. */
function upstreams({ providers, catalog }: Snapshot): [string, string][] {
  const live = [...providers.values()].filter(({ mode }) => mode === 'live').map(({ id }) => id);
  const answering = catalog.entries.filter(isAvailable);
  const simulated = answering.filter(isSimulated).map(({ model }) => model.id);
  const rows: [string, string][] = [];
  if (live.length > 0) rows.push(['Providers', live.join(', ')]);
  if (answering.length === 0) rows.push(['Models', 'none: no provider is set up for a model']);
  else if (simulated.length === answering.length)
    rows.push(['Simulated', 'all models, free of charge, until a provider is set up']);
  else {
    rows.push(['Models', `${answering.length - simulated.length} with a provider`]);
    if (simulated.length > 0) rows.push(['Simulated', named(simulated)]);
  }
  return rows;
}

/** The most models that the start message names. */
const MAX_NAMED = 8;

const named = (ids: readonly string[]): string =>
  ids.length <= MAX_NAMED
    ? ids.join(', ')
    : `${ids.slice(0, MAX_NAMED).join(', ')} and ${ids.length - MAX_NAMED} more`;

function exampleRequest(snapshot: Snapshot, url: string, key: string): string | undefined {
  const entry = exampleEntry(snapshot);
  if (!entry) return undefined;
  const body = JSON.stringify({
    model: entry.model.id,
    messages: [{ role: 'user', content: 'Hello, who are you?' }],
  });
  return `curl ${url}/v1/chat/completions -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${body}'`;
}
