import { Type } from '../../base/schema/type.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { CountRequest, OtherAnswer, Route } from '../../edge/http/route.ts';
import type { StoreHealth } from '../../money/accounts/account-store.ts';
import type { Fleet } from './fleet.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { metricsRoute } from './metrics-route.ts';

export type OperationsSources = {
  metrics: GatewayMetrics;
  store: Pick<StoreHealth, 'problem'>;
  isDraining: () => boolean;
  /** The reason why stored credentials cannot be read here. */
  settingsProblem?: () => string | undefined;
  fleet?: Fleet | undefined;
  /** Counts a request without a credential, or refuses it. */
  count?: CountRequest;
};

const notReady: OtherAnswer = {
  description: 'The server is draining, or cannot use its store or the credentials in it.',
  body: {
    schema: Type.Object(
      { status: Type.Enum(['draining', 'not-ready']), problem: Type.Optional(Type.String()) },
      { title: 'Not Ready' },
    ),
    example: { status: 'draining' },
  },
};

/**
 * The routes for probes and Prometheus. The probes need no key and name no provider. The metrics name all
 * providers.
 */
export const operationsRoutes = ({
  metrics,
  store,
  isDraining,
  settingsProblem,
  fleet,
  count,
}: OperationsSources): Route[] => [
  {
    method: 'GET',
    path: '/healthz',
    describe: {
      group: 'Operation',
      summary: 'Reports that the process is running',
      answer: 'The process is running.',
      answerSchema: Type.Object({ status: Type.Literal('ok') }),
    },
    handle: () => jsonReply(200, { status: 'ok' }),
  },
  {
    method: 'GET',
    path: '/readyz',
    describe: {
      group: 'Operation',
      summary: 'Reports whether the server takes requests',
      answer: 'The server takes requests. Otherwise the status is 503 with `draining` or `not-ready`.',
      answerSchema: Type.Object({ status: Type.Literal('ready') }),
      otherAnswers: { 503: notReady },
    },
    handle: async () => {
      if (isDraining()) return jsonReply(503, { status: 'draining' });
      const problem = (await store.problem()) ?? settingsProblem?.();
      return problem === undefined
        ? jsonReply(200, { status: 'ready' })
        : jsonReply(503, { status: 'not-ready', problem });
    },
  },
  metricsRoute(metrics, { fleet, count }),
];
