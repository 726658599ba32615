import { type Mutant, row } from './mutant.ts';

/** Faults of limits, slots and the queue. */
export const limitMutants: readonly Mutant[] = [
  row(
    'a slot of a provider is never free again',
    'upstream/capacity/provider-slots.ts',
    '    this.#inUse--;\n',
    '',
  ),
  row(
    'a window admits one request more',
    'money/limits/limit-checks.ts',
    'taken + amount <= limit ? 0',
    'taken + amount <= limit + 1 ? 0',
  ),
  row(
    'a window admits one request less',
    'money/limits/limit-checks.ts',
    'waitFor(requests, windows.requests, figures.requestsPerMinute, nowMs);',
    'waitFor(requests, windows.requests, figures.requestsPerMinute - 1, nowMs);',
  ),
  row(
    'one concurrent request more is admitted',
    'money/limits/limit-checks.ts',
    'windows.underWay < figures.concurrent',
    'windows.underWay <= figures.concurrent',
  ),
  row(
    'an account is forgotten while a request of it runs',
    'money/limits/account-windows.ts',
    'return this.underWay === 0 && windows.every(',
    'return windows.every(',
  ),
  row(
    'a concurrent place is never free again',
    'money/limits/take-count.ts',
    '    windows.underWay--;\n',
    '',
  ),
  row(
    'a provider gets one call more than it has slots',
    'upstream/capacity/provider-slots.ts',
    'return this.#inUse < this.#limit &&',
    'return this.#inUse <= this.#limit &&',
  ),
  row(
    'Free requests are served before paid ones',
    'upstream/capacity/provider-slots.ts',
    '    if (this.#freeCredit < 1) return paid.next(share);\n    this.#freeCredit -= 1;\n',
    '',
  ),
  row(
    'a bin of a window leaves one window after its first use',
    'money/limits/sliding-window.ts',
    'this.#usedAt[place] = Math.max(this.#usedAt[place]!, nowMs, this.#newest * this.#binMs);',
    'this.#usedAt[place] ||= Math.max(nowMs, this.#newest * this.#binMs);',
  ),
  row(
    'a request that a limit refuses keeps its hold',
    'money/limits/local-gate.ts',
    "    this.#ledger.void(held);\n    return { kind: 'limited'",
    "    return { kind: 'limited'",
  ),
  row(
    'the request that waited longest is served last',
    'upstream/capacity/fair-queue.ts',
    'return queue?.items.first;',
    'return queue?.items.last;',
  ),
  row(
    'the estimate of a prompt stays in the window of tokens',
    'money/limits/take-count.ts',
    'else window.giveBack(this.#takenAtMs, now, tokens - actual);',
    'else window.giveBack(this.#takenAtMs, now, 0 * (tokens - actual));',
  ),
  row(
    'a client that leaves the queue keeps its place',
    'upstream/routing/take-slot.ts',
    '      waiter?.leave();\n',
    '',
  ),
  row(
    'an account whose queue is empty keeps its turn',
    'upstream/capacity/fair-queue.ts',
    "if (isLast || reason === 'served') this.#queues.remove(queue.node);",
    "if (reason === 'served') this.#queues.remove(queue.node);",
  ),
  row(
    'the account that was served has the next turn too',
    'upstream/capacity/fair-queue.ts',
    'queue.node = this.#queues.push(queue);\n  }\n\n  #newQueue',
    'queue.node = this.#queues.insert(queue, () => true);\n  }\n\n  #newQueue',
  ),
  row(
    'shares of slots are ignored',
    'upstream/capacity/fair-queue.ts',
    'this.#queues.find(({ holder }) => holder.held < share) ?? this.#queues.first',
    'this.#queues.first',
  ),
  row(
    'a request that queues again waits its whole time again',
    'upstream/capacity/capacity.ts',
    'const since = claim.since ?? this.#clock.now();',
    'const since = this.#clock.now();',
  ),
  row(
    'a request is refused before its time in the queue is over',
    'upstream/capacity/capacity.ts',
    'if (!first || first.until > now) break;',
    'if (!first || first.until > now + 1_000) break;',
  ),
  row(
    'the queue is not reviewed after a pause',
    'upstream/routing/routing.ts',
    '    if (pauseMs > 0) this.review.in(pauseMs);\n',
    '',
  ),
  row(
    'the queue expires once',
    'upstream/capacity/queue-timer.ts',
    '    this.#capacity.expire();\n    this.arm();',
    '    this.#capacity.expire();',
  ),
  row(
    'the window of a network counts nothing',
    'money/limits/take-count.ts',
    '  network?.take(nowMs, requests);\n',
    '',
  ),
  row(
    'the tokens of a plan are not corrected by the charge',
    'money/limits/take-count.ts',
    '    this.#correct(windows.tokens, actual, now);\n',
    '',
  ),
  row(
    'a request that waits again after a failed call waits its whole time again',
    'upstream/routing/try-targets.ts',
    '  request.maxWaitMs = Math.max(0, request.maxWaitMs - waitedMs);\n',
    '',
  ),
  row(
    'a client that leaves during the try of a paused provider leaves it paused',
    'upstream/routing/target-health.ts',
    "    if (kind === 'probe') this.#probes--;\n    if (outcome === 'canceled') return;",
    "    if (outcome === 'canceled') return;\n    if (kind === 'probe') this.#probes--;",
  ),
];
