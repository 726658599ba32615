import { Capacity } from './capacity/capacity.ts';
import { OverloadWatch } from './capacity/overload-watch.ts';
import { type Clock, MovableClock, steadyClock } from './lib/clock.ts';
import type { Turns } from './lib/turns.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import type { EventLoopWatch } from './observability/event-loop-watch.ts';
import { GatewayMetrics } from './observability/gateway-metrics.ts';
import type { Logger } from './observability/logger.ts';
import { ProviderActivity } from './providers/provider-activity.ts';
import type { Provider } from './providers/providers.ts';
import { UpstreamCaller } from './providers/upstream-caller.ts';
import { Routing } from './routing/routing.ts';
import { HttpClient } from './upstream-http/http-client.ts';
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
  const overload = new OverloadWatch({
    now: () => performance.now(),
    memoryBytes: () => process.memoryUsage.rss(),
    memoryLimitBytes: limitBytes,
  });
  overload.start();
  const metrics = new GatewayMetrics({ eventLoop, capacity, overload, activity });
  const client = new HttpClient({ proxies: proxiesOf(process.env), turns });
  const routing = new Routing({
    upstream: new UpstreamCaller(client),
    ...{ activity, capacity, clock, overload, memory, random: Math.random },
    observeWait: (planClass, outcome, waitedMs) => metrics.waited(planClass, outcome, waitedMs),
  });
  if (isMovable) wallClock.onJump(() => routing.timer.expire());
  return { activity, capacity, overload, metrics, routing, client };
}
