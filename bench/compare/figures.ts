import type { Spread, SystemName } from '../benchmark-report.ts';
import { summarize } from '../summarize.ts';
import type { Comparison, LoadCell, LoadFigures, StreamFigures } from './comparison.ts';

/** The tails of the frontier, in milliseconds. */
export const tailsMs = [1, 5, 10, 50, 100] as const;

export type SystemFigures = {
  system: SystemName;
  /**
   * The 99th percentile above that of the upstream alone in the same round, over one connection.
   * It is `null` for the upstream.
   */
  addedP99Us: Spread | null;
  addedP50Us: Spread | null;
  /** The CPU time at `cpuConnections`. It is `null` if the system has no process of its own. */
  cpuUs: Spread | null;
  cpuRatioToHaproxy: Spread | null;
  agentCpuUs: Spread | null;
  /**
   * The most requests a second for each of `tailsMs`.
   * A figure is `null` if no number of connections stays below its time.
   */
  frontier: (number | null)[];
  addedFirstEventUs: Spread | null;
  cpuUsPerStream: Spread | null;
  /**
   * The most streams at the same time of which none stalled in any round.
   * It is `null` without measurements of streams.
   */
  steadyStreams: number | null;
  memory: { idleMb: number; loadMb: number; afterMb: number } | null;
  /** Failed requests, and answers with another status than 200. */
  errors: number;
};

type Pairing<Row> = {
  rows: readonly Row[];
  others: readonly Row[];
  read: (row: Row) => number | null;
  combine: (own: number, other: number) => number;
};

const subtract = (own: number, other: number) => own - other;
const divide = (own: number, other: number) => own / other;

/** Compares measurements of the same round, so that noise affects both. */
export function compareInRounds<Row extends { round: number }>({
  rows,
  others,
  read,
  combine,
}: Pairing<Row>): Spread | null {
  const values = rows.flatMap((row) => {
    const other = others.find(({ round }) => round === row.round);
    const [own, theirs] = [read(row), other === undefined ? null : read(other)];
    return own === null || theirs === null || theirs === 0 ? [] : [combine(own, theirs)];
  });
  return summarize(values);
}

const summarizeAll = <Row>(rows: readonly Row[], read: (row: Row) => number | null): Spread | null =>
  summarize(rows.flatMap((row) => read(row) ?? []));

const cpuOf = (row: LoadFigures) => row.cpuUsPerRequest;

/** CPU time is compared at the number of connections nearest to this one. */
const cpuConnections = 32;

const findCpuCell = (loads: readonly LoadFigures[]): LoadCell => {
  const counts = loads.filter(({ scenario }) => scenario === 'unary').map((row) => row.connections);
  const nearest = counts.toSorted(
    (one, other) => Math.abs(one - cpuConnections) - Math.abs(other - cpuConnections),
  )[0];
  return { scenario: 'unary', connections: nearest ?? cpuConnections };
};

function frontierOf(rows: readonly LoadFigures[]): (number | null)[] {
  const rungs = [...Map.groupBy(rows, ({ connections }) => connections).values()].map((rung) => ({
    p99Us: summarize(rung.map(({ p99Us }) => p99Us))!.median,
    rps: summarize(rung.map(({ requestsPerSecond }) => requestsPerSecond))!.median,
    isSound: rung.every(({ failures, badStatuses }) => failures + badStatuses === 0),
  }));
  return tailsMs.map((tailMs) => {
    const within = rungs.filter(({ p99Us, isSound }) => isSound && p99Us <= tailMs * 1_000);
    return within.length === 0 ? null : Math.max(...within.map(({ rps }) => rps));
  });
}

function findSteadyStreams(rows: readonly StreamFigures[]): number | null {
  if (rows.length === 0) return null;
  const rungs = [...Map.groupBy(rows, ({ streams }) => streams)].toSorted(([one], [other]) => one - other);
  const failing = rungs.findIndex(([, rung]) => rung.some(({ stalled }) => stalled > 0));
  const steady = failing < 0 ? rungs : rungs.slice(0, failing);
  return steady.at(-1)?.[0] ?? 0;
}

/** Returns the figures of each system, in the order of the measurements. */
export function buildFigures({ loads, streams, memory }: Comparison): SystemFigures[] {
  const cpuCell = findCpuCell(loads);
  const loadsOf = (system: SystemName, { scenario, connections }: LoadCell) =>
    loads.filter(
      (row) => row.system === system && row.scenario === scenario && row.connections === connections,
    );
  const fewest = Math.min(...streams.map((row) => row.streams));
  const streamsOf = (system: SystemName) =>
    streams.filter((row) => row.system === system && row.streams === fewest);
  const alone: LoadCell = { scenario: 'unary', connections: 1 };
  return [...new Set(loads.map(({ system }) => system))].map((system): SystemFigures => {
    const addedBy = (read: (row: LoadFigures) => number) =>
      system === 'direct'
        ? null
        : compareInRounds({
            rows: loadsOf(system, alone),
            others: loadsOf('direct', alone),
            read,
            combine: subtract,
          });
    const [own, ofHaproxy] = [loadsOf(system, cpuCell), loadsOf('haproxy', cpuCell)];
    return {
      system,
      addedP99Us: addedBy(({ p99Us }) => p99Us),
      addedP50Us: addedBy(({ p50Us }) => p50Us),
      cpuUs: summarizeAll(own, cpuOf),
      cpuRatioToHaproxy: compareInRounds({ rows: own, others: ofHaproxy, read: cpuOf, combine: divide }),
      agentCpuUs: summarizeAll(
        loads.filter((row) => row.system === system && row.scenario === 'agent'),
        cpuOf,
      ),
      frontier: frontierOf(loads.filter((row) => row.system === system && row.scenario === 'unary')),
      addedFirstEventUs:
        system === 'direct'
          ? null
          : compareInRounds({
              rows: streamsOf(system),
              others: streamsOf('direct'),
              read: (row) => row.firstEventP50Us,
              combine: subtract,
            }),
      cpuUsPerStream: summarizeAll(streamsOf(system), (row) => row.cpuUsPerStream),
      steadyStreams: findSteadyStreams(streams.filter((row) => row.system === system)),
      memory: memory.find((row) => row.system === system) ?? null,
      errors: loads
        .filter((row) => row.system === system)
        .reduce((sum, { failures, badStatuses }) => sum + failures + badStatuses, 0),
    };
  });
}
