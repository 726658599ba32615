import type { GooglePlan } from '../../settings/hosts/cloud-plan.ts';
import type { Provider } from '../../settings/hosts/providers.ts';

type ProviderAddress = Pick<Provider, 'baseUrl' | 'query' | 'cloud'>;

/** A path at a provider. `project` is the project of its credential of Google Cloud. */
type ProviderPath = { path: string; project: string | null };
type ModelPath = ProviderPath & { upstreamModel: string; stream: boolean };

/** The path of a call on the messages protocol, which names no model. */
const MESSAGES_PATH = '/messages';

/** Returns the URL of a call that concerns no model, for example of a batch. */
export function providerUrl(provider: ProviderAddress, { path, project }: ProviderPath): string {
  const { cloud } = provider;
  if (cloud?.plan.kind !== 'google') return withQuery(provider, path);
  return withQuery(provider, `${publishersPath(cloud.plan, project)}/google${path}`);
}

/** Returns the URL of a call to one of a provider's models. */
export function upstreamUrl(provider: ProviderAddress & Pick<Provider, 'quirks'>, call: ModelPath): string {
  const { cloud, quirks } = provider;
  if (cloud?.plan.kind === 'google') return withQuery(provider, vertexPath(cloud.plan, call));
  const deployment = quirks.includes('deployment-in-path')
    ? `/deployments/${encodeURIComponent(call.upstreamModel)}`
    : '';
  return withQuery(provider, deployment + call.path);
}

function withQuery({ baseUrl, query }: ProviderAddress, path: string): string {
  const address = baseUrl + path;
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** Returns a path of Vertex AI. On the messages protocol, the path names the model and the kind of answer. */
function vertexPath(plan: GooglePlan, { path, upstreamModel, stream, project }: ModelPath): string {
  const publishers = publishersPath(plan, project);
  if (path !== MESSAGES_PATH) return `${publishers}/google${path}`;
  const verb = stream ? 'streamRawPredict' : 'rawPredict';
  return `${publishers}/anthropic/models/${encodeURIComponent(upstreamModel)}:${verb}`;
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest */
function publishersPath(plan: GooglePlan, project: string | null): string {
  const name = encodeURIComponent(plan.project ?? project ?? '').replaceAll('%3A', ':');
  return `/projects/${name}/locations/${plan.region}/publishers`;
}
