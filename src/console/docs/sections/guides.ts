import { type Guide, type GuideRequest, type GuideStep, guides } from '../guides.ts';
import { type Html, html, prose } from '../html.ts';
import { block, section } from '../section.ts';
import { shellQuoted } from '../shell-quoted.ts';

/**
 * Formats a request as a curl command. A header with the key is in double quotes, where the shell fills it
 * in.
 */
function guideCommand({ method = 'POST', path, headers = {}, body }: GuideRequest): string {
  const named = Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`);
  const parts = [
    `curl ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}${shellQuoted(`{origin}${path}`)}`,
    ...('x-api-key' in headers ? [] : ['-H "authorization: Bearer $API_KEY"']),
    ...named,
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${shellQuoted(JSON.stringify(body, null, 2))}`]),
  ];
  return parts.join(' \\\n  ');
}

const step =
  (paths: ReadonlySet<string>) =>
  ({ title, text, request }: GuideStep): Html => {
    const isServed = request !== undefined && paths.has(request.path.split('?')[0]!);
    return html`<h3>${title}</h3>
<p>${prose(text)}</p>
${isServed && block(guideCommand(request))}
`;
  };

const guide = (paths: ReadonlySet<string>, { id, title, steps }: Guide): Html =>
  section({ id, title }, html`${steps.map(step(paths))}`);

/** The guides, with the examples whose endpoints this server has. */
export const guideSections = (paths: ReadonlySet<string>): Html[] => guides.map((one) => guide(paths, one));
