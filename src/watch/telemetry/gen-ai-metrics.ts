import type { AttributeValue } from './attributes.ts';
import { operationOf, providerNameOf } from './gen-ai-values.ts';

/** A metric of the GenAI conventions. `histogram` is the gateway's own histogram with its values. */
type GenAiMetric = { histogram: string; name: string; description: string; unit: string };

export const genAiMetrics: readonly GenAiMetric[] = [
  {
    histogram: 'tollgate_request_duration_seconds',
    name: 'gen_ai.server.request.duration',
    description: 'Time from the arrival of a request to the end of its answer.',
    unit: 's',
  },
  {
    histogram: 'tollgate_time_to_first_token_seconds',
    name: 'gen_ai.server.time_to_first_token',
    description: 'Time from the arrival of a streamed request to the first part of its answer.',
    unit: 's',
  },
  {
    histogram: 'tollgate_upstream_duration_seconds',
    name: 'gen_ai.client.operation.duration',
    description: 'Time from the start of a call to a provider to the end of its answer.',
    unit: 's',
  },
  {
    histogram: 'tollgate_request_tokens',
    name: 'gen_ai.client.token.usage',
    description: 'Tokens of a request, by type.',
    unit: '{token}',
  },
];

/** The labels of the gateway's own histograms. */
export type RequestLabels = Readonly<
  Partial<Record<'provider' | 'model' | 'route' | 'status' | 'direction', string | undefined>>
>;

/**
 * Translates the labels of a request's series. Returns undefined if the route calls no model, or no model was
 * found.
 */
export function genAiLabels(
  { provider = '', model = '', route = '', status = '', direction }: RequestLabels,
  providerAttributes: readonly string[],
): Record<string, AttributeValue> | undefined {
  const operation = operationOf(route);
  if (operation === undefined || model === '') return undefined;
  const providerNames = providerAttributes.map((name) => [name, providerNameOf(provider)] as const);
  return {
    'gen_ai.operation.name': operation,
    ...Object.fromEntries(providerNames),
    'gen_ai.request.model': model,
    'gen_ai.response.model': model,
    'gen_ai.token.type': direction,
    // Several providers can have one name in the conventions, and several routes one operation.
    'tollgate.provider.id': provider,
    'http.route': route,
    'error.type': status === '2xx' ? undefined : status || '_OTHER',
  };
}
