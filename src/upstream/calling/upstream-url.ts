import type { GooglePlan } from '../../settings/hosts/cloud-plan.ts';
import type { Provider } from '../../settings/hosts/providers.ts';

type UrlParts = Pick<Provider, 'baseUrl' | 'query' | 'quirks'> & Partial<Pick<Provider, 'cloud'>>;
/** `project`: the project of a credential of Google Cloud. */
type Called = { path: string; upstreamModel: string; stream?: boolean; project?: string | null };

/** Returns the URL of a call to one of a provider's models. */
export function upstreamUrl({ baseUrl, query, quirks, cloud }: UrlParts, called: Called): string {
  const { path, upstreamModel } = called;
  const deployment = quirks.includes('deployment-in-path')
    ? `/deployments/${encodeURIComponent(upstreamModel)}`
    : '';
  const place = cloud?.plan.kind === 'google' ? vertexPath(cloud.plan, called) : deployment + path;
  const address = baseUrl + place;
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** The path of a call in the protocol of messages, which names the model. */
const MESSAGES = '/messages';

/** Returns a path of Vertex AI: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest */
function vertexPath(plan: GooglePlan, { path, upstreamModel, stream, project }: Called): string {
  const inPath = encodeURIComponent(plan.project ?? project ?? '').replaceAll('%3A', ':');
  const place = `/projects/${inPath}/locations/${plan.region}/publishers`;
  if (path !== MESSAGES) return `${place}/google${path}`;
  const verb = stream ? 'streamRawPredict' : 'rawPredict';
  return `${place}/anthropic/models/${encodeURIComponent(upstreamModel)}:${verb}`;
}
