import { type Clock, steadyClock } from '../../base/lib/clock.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import { createResidentBytes } from '../../base/memory/create-resident-bytes.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import { UpstreamCaller } from '../../upstream/calling/upstream-caller.ts';
import { Capacity } from '../../upstream/capacity/capacity.ts';
import { DescriptorWatch } from '../../upstream/capacity/descriptor-watch.ts';
import { Descriptors } from '../../upstream/capacity/descriptors.ts';
import { OverloadWatch } from '../../upstream/capacity/overload-watch.ts';
import { HttpClient } from '../../upstream/http-client/http-client.ts';
import { LocalResources } from '../../upstream/http-client/local-resources.ts';
import { proxiesOf } from '../../upstream/http-client/proxies.ts';
import {
  LearnedRefusals,
  type LearningSettings,
  rowOfRefusal,
} from '../../upstream/routing/learned-refusals.ts';
import { Routing } from '../../upstream/routing/routing.ts';
import { descriptorMetrics } from '../../watch/observability/descriptor-metrics.ts';
import type { EventLoopWatch } from '../../watch/observability/event-loop-watch.ts';
import { GatewayMetrics } from '../../watch/observability/gateway-metrics.ts';
import {
  descriptorReporter,
  localResourceReporter,
} from '../../watch/observability/local-resource-reporters.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { faultEndReporter, refusalReporter } from '../../watch/observability/provider-fault-reporters.ts';

export type UpstreamParts = {
  wallClock: Clock;
  eventLoop: EventLoopWatch;
  logger: Logger;
  /** The memory limit of the process. */
  limitBytes: number;
  memory: MemoryBudget;
  yieldQueue: YieldQueue;
  learning: () => LearningSettings;
};

/**
 * Creates the parts that send requests to providers. On a test server, waits and pauses follow the test
 * clock.
 */
export function createUpstream(parts: UpstreamParts) {
  const { wallClock, eventLoop, logger, limitBytes, memory, yieldQueue } = parts;
  const clock = steadyClock(wallClock);
  const activity = new ProviderActivity(wallClock);
  activity.observeFaults(faultEndReporter(logger));
  const capacity = new Capacity<Provider>(clock);
  const client = new HttpClient({ proxies: proxiesOf(process.env), yieldQueue });
  const descriptors = new Descriptors();
  activity.observeRefusals(refusalReporter(logger));
  const reportDescriptors = descriptorReporter(logger);
  const descriptorWatch = new DescriptorWatch({
    descriptors,
    onChange: (isShort, facts) => {
      if (isShort) client.dropKept();
      reportDescriptors(isShort, facts);
    },
  });
  const resources = new LocalResources({
    descriptorsAreGone: () => descriptors.areGone(),
    onChange: localResourceReporter(logger, () => descriptors.inUse()),
  });
  const overload = new OverloadWatch({
    now: () => performance.now(),
    memoryBytes: createResidentBytes(),
    memoryLimitBytes: limitBytes,
    descriptorShare: () => descriptorWatch.share,
  });
  overload.start();
  const metrics = new GatewayMetrics({ eventLoop, capacity, overload, activity });
  metrics.add(descriptorMetrics({ descriptors, resources }));
  const learned = learnedRefusalsOf(parts, metrics);
  const routing = new Routing({
    learned,
    upstream: new UpstreamCaller(client, resources),
    activity,
    capacity,
    clock,
    overload,
    memory,
    random: Math.random,
    observeWait: (planClass, outcome, waitedMs) => metrics.observeQueueWait(planClass, outcome, waitedMs),
  });
  wallClock.onJump?.(() => routing.timer.expire());
  return { activity, capacity, overload, metrics, routing, learned, client, descriptorWatch, resources };
}

const learnedRefusalsOf = (
  { wallClock, learning, logger }: UpstreamParts,
  metrics: GatewayMetrics,
): LearnedRefusals =>
  new LearnedRefusals({
    clock: wallClock,
    settings: learning,
    learned: (refusal) => {
      const { provider, model, member } = refusal;
      metrics.countLearnedRefusal(refusal);
      logger.warn('refusal-learned', { provider, model, member, row: rowOfRefusal(refusal) });
    },
  });
