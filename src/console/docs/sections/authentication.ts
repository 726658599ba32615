import type { Names } from '../../../base/lib/names.ts';
import { keysOf } from '../../../base/lib/records.ts';
import { type Html, html, prose } from '../html.ts';
import { groupsOf, type Operation } from '../operation.ts';
import { block, section } from '../section.ts';
import { otherSamples, typescriptSample } from './authentication-samples.ts';

const credentials: Record<Operation['key'], { title: string; description: string }> = {
  bearer: { title: 'Authorization: Bearer', description: 'The API key as a bearer token.' },
  'x-api-key': { title: 'x-api-key', description: 'The API key in this header.' },
  google: {
    title: 'x-goog-api-key',
    description: 'The API key in this header, or as the query parameter `key`.',
  },
  either: {
    title: 'x-api-key or Authorization: Bearer',
    description: 'The API key in either header. If both are sent, they must hold the same key.',
  },
  admin: {
    title: 'Authorization: Bearer, with an admin token',
    description: 'An admin token whose role allows the request. API keys are refused.',
  },
  none: { title: 'No key', description: 'The endpoint is open to every client that can reach the server.' },
};

/** Lists what takes a credential: the group's title if all its endpoints take it, otherwise the endpoints. */
function endpointsOf(operations: readonly Operation[], key: Operation['key']): string[] {
  const named = [...groupsOf(operations)].flatMap(([group, members]) => {
    const taking = members.filter((operation) => operation.key === key);
    return taking.length === members.length ? [group] : taking.map(({ path }) => path.replace(/\/\{.*/, ''));
  });
  return [...new Set(named)];
}

/** Writes the section of `/docs` about keys, with the header that each endpoint takes. */
export function authenticationSection(operations: readonly Operation[], { keyPrefix }: Names): Html {
  const used = keysOf(credentials).filter((key) => operations.some((operation) => operation.key === key));
  return section(
    { id: 'authentication', title: 'Authentication' },
    html`
<p>${prose(`API keys begin with \`${keyPrefix}\`. The operator of this server creates them. A key is shown only once, when it is created.`)}
A request with a missing, invalid, expired or revoked key is refused with <a href="#errors">401</a>.</p>
<p>The official Anthropic SDK for TypeScript sends its <code>apiKey</code> as a bearer token, which message batches do not accept.
With these options it sends <code>x-api-key</code>, which every endpoint under <code>/v1/messages</code> accepts:</p>
${block(typescriptSample.code)}
<p>The SDKs for other languages take the header for <code>messages.batches</code> like this:</p>
${otherSamples.map(
  ({ language, code }) => html`<h3>${language}</h3>
${block(code)}`,
)}
<table class="rows"><caption>Credential of each endpoint</caption>
<thead><tr><th scope="col">Header</th><th scope="col">Content</th><th scope="col">Endpoints</th></tr></thead>
<tbody>${used.map(
      (key) =>
        html`<tr><th scope="row"><code>${credentials[key].title}</code></th><td>${credentials[key].description}</td><td>${endpointsOf(operations, key).join(', ')}</td></tr>
`,
    )}</tbody></table>`,
  );
}
