import type { MachineFacts, Measurement, Skipped, SystemName } from '../benchmark-report.ts';

/** A load that every system gets in every round. */
export type LoadCell = { scenario: 'unary' | 'agent'; connections: number };

export type LoadFigures = Measurement & { connections: number };

/** One round of streams that run at the same time through one system. */
export type StreamFigures = {
  system: SystemName;
  round: number;
  streams: number;
  /** Streams in which every event arrived. */
  complete: number;
  /** Streams that had a gap of more than ten intervals, or an event missing. */
  stalled: number;
  firstEventP50Us: number;
  firstEventP99Us: number;
  /** `null` if the system has no process of its own. */
  cpuUsPerStream: number | null;
};

/** The resident memory of a system. */
export type MemoryFigures = {
  system: SystemName;
  /** The figure before the first request. */
  idleMb: number;
  /** The largest figure at the end of a measurement. */
  loadMb: number;
  /** The figure some seconds after the last request. */
  afterMb: number;
};

/** The measurements of every system in every round. */
export type Comparison = {
  startedAt: string;
  isQuick: boolean;
  /** The largest share of the machine that other processes used in a round that counts. */
  foreignShare: number;
  machine: MachineFacts & { nginx: string };
  /** The cores on which the systems run, and the cores of the load and the upstream. */
  cores: { system: string; load: string };
  parameters: {
    loadRounds: number;
    streamRounds: number;
    seconds: number;
    requestBytes: { unary: number; agent: number };
    streamEvents: number;
    streamIntervalMs: number;
  };
  loads: LoadFigures[];
  streams: StreamFigures[];
  memory: MemoryFigures[];
  skipped: Skipped[];
};
