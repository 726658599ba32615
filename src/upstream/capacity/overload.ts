import type { PlanClass } from './plan-class.ts';

/** What is left of the machine for us. */
export type Strain = {
  /** Share of the memory that the process may use, 0 to 1. */
  memory: number;
  /** Share of the file descriptors that requests may use. */
  descriptors: number;
  /** How late timers have fired for a second at least: a single pause of the runtime is no overload. */
  eventLoopDelayMs: number;
};

/** What is still taken on. */
export type OverloadLevel = 'none' | 'refuse-free' | 'refuse-waiting' | 'refuse-all';

type Threshold = Strain & { level: OverloadLevel };

/** The first row that is reached by any of them counts. */
export const overloadThresholds: readonly Threshold[] = [
  { level: 'refuse-all', memory: 0.95, descriptors: 0.95, eventLoopDelayMs: 4_000 },
  { level: 'refuse-waiting', memory: 0.92, descriptors: 0.9, eventLoopDelayMs: 2_000 },
  { level: 'refuse-free', memory: 0.85, descriptors: 0.8, eventLoopDelayMs: 1_000 },
];

export const overloadLevel = (strain: Strain): OverloadLevel =>
  overloadThresholds.find(
    ({ memory, descriptors, eventLoopDelayMs }) =>
      strain.memory >= memory ||
      strain.descriptors >= descriptors ||
      strain.eventLoopDelayMs >= eventLoopDelayMs,
  )?.level ?? 'none';

type Undertaking = 'start' | 'wait';

const NOTHING: readonly Undertaking[] = ['start', 'wait'];

/** Batches can wait better than anybody: they are the first that nothing is taken on of. */
const refused: Record<OverloadLevel, Record<PlanClass, readonly Undertaking[]>> = {
  none: { paid: [], free: [], batch: [], flex: [] },
  'refuse-free': { paid: [], free: NOTHING, batch: NOTHING, flex: NOTHING },
  'refuse-waiting': { paid: ['wait'], free: NOTHING, batch: NOTHING, flex: NOTHING },
  'refuse-all': { paid: NOTHING, free: NOTHING, batch: NOTHING, flex: NOTHING },
};

/** Whether a request of that class may begin, or take a place in the queue. */
export const isTakenOn = (level: OverloadLevel, planClass: PlanClass, undertaking: Undertaking): boolean =>
  !refused[level][planClass].includes(undertaking);

/** Connections are not kept open for more once memory or descriptors are short: each of them holds some. */
export const closesConnections = (level: OverloadLevel): boolean =>
  level === 'refuse-waiting' || level === 'refuse-all';
