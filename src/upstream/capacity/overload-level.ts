import type { PlanClass } from './plan-class.ts';

/** The used share of this machine's resources. */
export type Strain = {
  /** The used share of the memory that the process may use, from 0 to 1. */
  memory: number;
  /** The used share of the file descriptors that requests may use. */
  descriptors: number;
  /**
   * The delay of timers that has lasted for at least a second. A single pause of the runtime is not an
   * overload.
   */
  eventLoopDelayMs: number;
};

/** The level of overload, which decides the requests to refuse. */
export type OverloadLevel = 'none' | 'refuse-free' | 'refuse-waiting' | 'refuse-all';

type Threshold = Strain & { level: OverloadLevel };

/** The thresholds of each level. The first row with a threshold that is reached sets the level. */
export const overloadThresholds: readonly Threshold[] = [
  { level: 'refuse-all', memory: 0.95, descriptors: 0.95, eventLoopDelayMs: 4_000 },
  { level: 'refuse-waiting', memory: 0.92, descriptors: 0.9, eventLoopDelayMs: 2_000 },
  { level: 'refuse-free', memory: 0.85, descriptors: 0.8, eventLoopDelayMs: 1_000 },
];

/** Returns the level of the first threshold that the strain reaches. */
export const overloadLevel = (strain: Strain): OverloadLevel =>
  overloadThresholds.find(
    ({ memory, descriptors, eventLoopDelayMs }) =>
      strain.memory >= memory ||
      strain.descriptors >= descriptors ||
      strain.eventLoopDelayMs >= eventLoopDelayMs,
  )?.level ?? 'none';

type Undertaking = 'start' | 'wait';

const ALL: readonly Undertaking[] = ['start', 'wait'];

/** Lists what each level refuses. Paid requests first cease to queue, and are refused last. */
const refusedUndertakings: Record<OverloadLevel, Record<PlanClass, readonly Undertaking[]>> = {
  none: { paid: [], free: [], batch: [], flex: [] },
  'refuse-free': { paid: [], free: ALL, batch: ALL, flex: ALL },
  'refuse-waiting': { paid: ['wait'], free: ALL, batch: ALL, flex: ALL },
  'refuse-all': { paid: ALL, free: ALL, batch: ALL, flex: ALL },
};

/** Reports whether a request of that class may begin, or may queue. */
export const isTakenOn = (level: OverloadLevel, planClass: PlanClass, undertaking: Undertaking): boolean =>
  !refusedUndertakings[level][planClass].includes(undertaking);

/**
 * Reports whether connections are closed after their answer. Each one holds memory and a descriptor, and the
 * next one can reach another node. A delayed event loop alone reaches these levels too.
 */
export const closesConnections = (level: OverloadLevel): boolean =>
  level === 'refuse-waiting' || level === 'refuse-all';
