import type { Names } from '../../../base/lib/names.ts';
import { type Html, html, prose } from '../html.ts';
import { groupsOf, type Operation } from '../operation.ts';
import { block, section } from '../section.ts';

const ways: Record<Operation['key'], { title: string; description: string }> = {
  bearer: { title: 'Authorization: Bearer', description: 'The API key as a bearer token.' },
  'x-api-key': { title: 'x-api-key', description: 'The API key in this header.' },
  either: {
    title: 'x-api-key or Authorization: Bearer',
    description: 'The API key in either; in both, the same.',
  },
  admin: {
    title: 'Authorization: Bearer, with the admin token',
    description: "The operator's token; API keys are refused.",
  },
  none: { title: 'No key', description: 'Open to everybody who can reach the server.' },
};

const anthropicClient = `const client = new Anthropic({
  baseURL: '{origin}',
  apiKey: null,
  authToken: null,
  defaultHeaders: { 'x-api-key': process.env.API_KEY },
});`;

/** Groups whose endpoints all take that credential by their title, else the endpoints. */
function endpointsOf(operations: readonly Operation[], key: Operation['key']): string[] {
  const named = [...groupsOf(operations)].flatMap(([group, members]) => {
    const taking = members.filter((operation) => operation.key === key);
    return taking.length === members.length ? [group] : taking.map(({ path }) => path.replace(/\/\{.*/, ''));
  });
  return [...new Set(named)];
}

export function authentication(operations: readonly Operation[], { keyPrefix }: Names): Html {
  const used = (Object.keys(ways) as Operation['key'][]).filter((key) =>
    operations.some((operation) => operation.key === key),
  );
  const groups = (key: Operation['key']) => endpointsOf(operations, key).join(', ');
  return section(
    { id: 'authentication', title: 'Authentication' },
    html`
<p>${prose(`API keys begin with \`${keyPrefix}\`. The operator of this server creates them; a key is shown once, when it is made.`)}
A missing, wrong or revoked key is answered with <a href="#errors">401</a>.</p>
<p>The official Anthropic SDK for TypeScript sends its <code>apiKey</code> as a bearer token, which the batches of the messages dialect
do not take. This makes it send <code>x-api-key</code>, which goes everywhere in that dialect:</p>
${block(anthropicClient)}
<table class="rows"><caption>Which credential goes where</caption>
<thead><tr><th scope="col">Send</th><th scope="col">What</th><th scope="col">For</th></tr></thead>
<tbody>${used.map(
      (key) =>
        html`<tr><th scope="row"><code>${ways[key].title}</code></th><td>${ways[key].description}</td><td>${groups(key)}</td></tr>
`,
    )}</tbody></table>`,
  );
}
