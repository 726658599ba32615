export type ScenarioName = 'unary' | 'agent' | 'stream' | 'translated' | 'models';
export type SystemName =
  | 'direct'
  | 'haproxy'
  | 'bare-bun'
  | 'tollgate'
  | 'portkey'
  | 'litellm'
  | 'crabllm'
  | 'gomodel'
  | 'ferro'
  | 'busbar';

/** One measurement of a system under load. */
export type Measurement = {
  scenario: ScenarioName;
  system: SystemName;
  round: number;
  requests: number;
  failures: number;
  badStatuses: number;
  requestsPerSecond: number;
  p50Us: number;
  p99Us: number;
  /** `null` if the system has no process of its own. */
  cpuUsPerRequest: number | null;
  residentMb: number | null;
};

export type Spread = { median: number; min: number; max: number };

export type SummaryRow = {
  scenario: ScenarioName;
  system: SystemName;
  rounds: number;
  requestsPerSecond: Spread;
  cpuUsPerRequest: Spread | null;
  /** Relative to haproxy in the same round (`stream` for `translated`, `unary` for `models`). */
  cpuRatioToHaproxy: Spread | null;
  /** Only for `translated` and `models`: relative to `stream` or `unary` of the same system and round. */
  cpuRatioToPlain: Spread | null;
  p50Us: Spread;
  p99Us: Spread;
  /** The latency that the system adds to the direct upstream, in the same round with as many connections. */
  addedP50Us: Spread | null;
  addedP99Us: Spread | null;
  residentMb: Spread | null;
  errors: number;
};

export type Skipped = { system: SystemName; scenario: ScenarioName | null; reason: string };

export type MachineFacts = {
  cores: number;
  processor: string;
  kernel: string;
  bun: string;
  node: string | null;
  wrk: string;
  haproxy: string | null;
  loadAverage: number;
};

type BenchmarkParameters = {
  scenarios: ScenarioName[];
  seconds: number;
  connections: number;
  rounds: number;
  warmUpSeconds: number;
  streamEvents: number;
  streamIntervalMs: number;
  requestBytes: number;
};

export type BenchmarkReport = {
  startedAt: string;
  machine: MachineFacts;
  parameters: BenchmarkParameters;
  summary: SummaryRow[];
  skipped: Skipped[];
  measurements: Measurement[];
};
