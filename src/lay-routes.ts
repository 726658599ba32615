import { Capacity } from './capacity/capacity.ts';
import { DescriptorWatch } from './capacity/descriptor-watch.ts';
import { Descriptors } from './capacity/descriptors.ts';
import { OverloadWatch } from './capacity/overload-watch.ts';
import { type Clock, MovableClock, steadyClock } from './lib/clock.ts';
import type { Turns } from './lib/turns.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import { descriptorMetrics } from './observability/descriptor-metrics.ts';
import type { EventLoopWatch } from './observability/event-loop-watch.ts';
import { GatewayMetrics } from './observability/gateway-metrics.ts';
import type { Logger } from './observability/logger.ts';
import { ProviderActivity } from './providers/provider-activity.ts';
import type { Provider } from './providers/providers.ts';
import { UpstreamCaller } from './providers/upstream-caller.ts';
import { Routing } from './routing/routing.ts';
import { HttpClient } from './upstream-http/http-client.ts';
import { LocalResources } from './upstream-http/local-resources.ts';
import { proxiesOf } from './upstream-http/proxies.ts';

/** How requests get to providers. On a test server waits and pauses follow the clock that can be moved. */
export function layRoutes({
  wallClock,
  eventLoop,
  logger,
  limitBytes,
  memory,
  turns,
}: {
  wallClock: Clock;
  eventLoop: EventLoopWatch;
  logger: Logger;
  /** Of the memory. */
  limitBytes: number;
  memory: MemoryBudget;
  turns: Turns;
}) {
  const isMovable = wallClock instanceof MovableClock;
  const clock = steadyClock(wallClock);
  const activity = new ProviderActivity(wallClock, (provider, isRefused) =>
    isRefused
      ? logger.error('provider-key-refused', { provider })
      : logger.info('provider-key-accepted', { provider }),
  );
  const capacity = new Capacity<Provider>(clock);
  const client = new HttpClient({ proxies: proxiesOf(process.env), turns });
  const descriptors = new Descriptors();
  const descriptorWatch = new DescriptorWatch({
    descriptors,
    changed: (isShort, facts) => {
      if (isShort) client.dropKept();
      if (isShort) logger.warn('descriptors-short', facts);
      else logger.info('descriptors-enough', facts);
    },
  });
  const resources = new LocalResources({
    descriptorsAreGone: () => descriptors.areGone(),
    changed: (resource, isOut) =>
      isOut
        ? logger.error('local-resource-exhausted', { resource, descriptors_in_use: descriptors.inUse() })
        : logger.info('local-resource-back', { resource }),
  });
  const overload = new OverloadWatch({
    now: () => performance.now(),
    memoryBytes: () => process.memoryUsage.rss(),
    memoryLimitBytes: limitBytes,
    descriptorShare: () => descriptorWatch.share,
  });
  overload.start();
  const metrics = new GatewayMetrics({ eventLoop, capacity, overload, activity });
  metrics.add(descriptorMetrics({ descriptors, resources }));
  const routing = new Routing({
    upstream: new UpstreamCaller(client, resources),
    ...{ activity, capacity, clock, overload, memory, random: Math.random },
    observeWait: (planClass, outcome, waitedMs) => metrics.waited(planClass, outcome, waitedMs),
  });
  if (isMovable) wallClock.onJump(() => routing.timer.expire());
  return { activity, capacity, overload, metrics, routing, client, descriptorWatch, resources };
}
