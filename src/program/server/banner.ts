import type { Provider } from '../../settings/hosts/providers.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

export type BannerFacts = {
  snapshot: Snapshot;
  url: string;
  /** The address of the listener for operators, if there is a second one. */
  adminUrl: string | undefined;
  adminToken: string;
  adminTokenFile: string;
  firstKey: string | undefined;
  firstKeyFile: string;
};

/** Formats the start message: the addresses, the sign-in, and a request to paste. */
export function banner(facts: BannerFacts): string {
  const { url, adminUrl = url, adminToken, adminTokenFile, firstKey, firstKeyFile, snapshot } = facts;
  const rows: [string, string][] = [
    ['Address', url],
    ['Base URL', `${url}/v1`],
    ['Dashboard', `${adminUrl}/`],
    ['Admin sign-in', `${adminToken}   (in ${adminTokenFile})`],
    ...(firstKey
      ? [['First API key', `${firstKey}   (in ${firstKeyFile}; you can delete the file)`] as [string, string]]
      : []),
    ...upstreams(snapshot),
  ];
  const lines = rows.map(([name, value]) => `  ${`${name}:`.padEnd(15)} ${value}`);
  const curl = exampleRequest(snapshot, url, firstKey ?? 'YOUR_API_KEY');
  return `\nTollgate is ready.\n\n${lines.join('\n')}\n${curl ? `\nTry it:\n\n${curl}\n` : ''}\n`;
}

function upstreams({ providers }: Snapshot): [string, string][] {
  const named = (mode: Provider['mode']) =>
    [...providers.values()]
      .filter((provider) => provider.mode === mode && provider.id !== 'simulator')
      .map(({ id }) => id);
  const live = named('live');
  const simulated = named('simulated');
  return [
    ...(live.length > 0 ? [['Providers', live.join(', ')] as [string, string]] : []),
    ...(simulated.length > 0
      ? [
          [
            'Simulated',
            `${simulated.join(', ')}: simulated answers until their keys are set or a provider is configured`,
          ] as [string, string],
        ]
      : []),
  ];
}

function exampleRequest(snapshot: Snapshot, url: string, key: string): string | undefined {
  const entry = exampleEntry(snapshot);
  if (!entry) return undefined;
  const body = JSON.stringify({
    model: entry.model.id,
    messages: [{ role: 'user', content: 'Hello, who are you?' }],
  });
  return `curl ${url}/v1/chat/completions -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '${body}'`;
}
