import type { Spread, SystemName } from '../benchmark-report.ts';
import { differenceInRounds, ratioInRounds } from '../compare-in-rounds.ts';
import { summarize } from '../summarize.ts';
import type { Comparison, LoadCell, LoadFigures, MemoryFigures } from './comparison.ts';
import { findFrontier } from './find-frontier.ts';
import { findSteadyStreams } from './find-steady-streams.ts';

/** The figures of a system on the page. A figure that was not measured is `null`. */
export type SystemFigures = {
  system: SystemName;
  /**
   * The 99th percentile that the system adds to the upstream in the same round, over one connection. `null`
   * for the upstream.
   */
  addedP99Us: Spread | null;
  addedP50Us: Spread | null;
  /** The CPU time at `CPU_CONNECTIONS`. `null` if the system has no process of its own. */
  cpuUs: Spread | null;
  cpuRatioToHaproxy: Spread | null;
  agentCpuUs: Spread | null;
  /** The most requests a second for each of `tailsMs`. */
  frontier: (number | null)[];
  addedFirstEventUs: Spread | null;
  cpuUsPerStream: Spread | null;
  /** The most streams at the same time of which none stalled in any round. */
  steadyStreams: number | null;
  memory: MemoryFigures | null;
  /** Failed requests, and answers with a status other than 200. */
  errors: number;
};

/** CPU time is compared at the number of connections nearest to this one. */
const CPU_CONNECTIONS = 32;
/** Latency is compared over one connection, where no request waits for another request. */
const LATENCY_CELL: LoadCell = { scenario: 'unary', connections: 1 };

const cpuOf = (row: LoadFigures): number | null => row.cpuUsPerRequest;

const summarizeFigure = <Row>(rows: readonly Row[], read: (row: Row) => number | null): Spread | null =>
  summarize(rows.flatMap((row) => read(row) ?? []));

const inCell = (rows: readonly LoadFigures[], { scenario, connections }: LoadCell): LoadFigures[] =>
  rows.filter((row) => row.scenario === scenario && row.connections === connections);

const inScenario = (rows: readonly LoadFigures[], scenario: LoadCell['scenario']): LoadFigures[] =>
  rows.filter((row) => row.scenario === scenario);

function findCpuCell(loads: readonly LoadFigures[]): LoadCell {
  const distanceOf = ({ connections }: LoadCell) => Math.abs(connections - CPU_CONNECTIONS);
  const cells = inScenario(loads, 'unary').map(
    ({ connections }): LoadCell => ({ scenario: 'unary', connections }),
  );
  const nearest = cells.toSorted((one, other) => distanceOf(one) - distanceOf(other))[0];
  return nearest ?? { scenario: 'unary', connections: CPU_CONNECTIONS };
}

function buildSystemFigures({ loads, streams, memory }: Comparison, system: SystemName): SystemFigures {
  const loadsOf = (name: SystemName) => loads.filter((row) => row.system === name);
  const streamsOf = (name: SystemName) => streams.filter((row) => row.system === name);
  const fewest = Math.min(...streams.map((row) => row.streams));
  const fewestStreamsOf = (name: SystemName) => streamsOf(name).filter((row) => row.streams === fewest);
  const own = loadsOf(system);
  const cpuCell = findCpuCell(loads);
  const addedLatency = (read: (row: LoadFigures) => number) =>
    differenceInRounds(
      { rows: inCell(own, LATENCY_CELL), baseline: inCell(loadsOf('direct'), LATENCY_CELL) },
      read,
    );
  const isUpstream = system === 'direct';
  return {
    system,
    addedP99Us: isUpstream ? null : addedLatency((row) => row.p99Us),
    addedP50Us: isUpstream ? null : addedLatency((row) => row.p50Us),
    cpuUs: summarizeFigure(inCell(own, cpuCell), cpuOf),
    cpuRatioToHaproxy: ratioInRounds(
      { rows: inCell(own, cpuCell), baseline: inCell(loadsOf('haproxy'), cpuCell) },
      cpuOf,
    ),
    agentCpuUs: summarizeFigure(inScenario(own, 'agent'), cpuOf),
    frontier: findFrontier(inScenario(own, 'unary')),
    addedFirstEventUs: isUpstream
      ? null
      : differenceInRounds(
          { rows: fewestStreamsOf(system), baseline: fewestStreamsOf('direct') },
          (row) => row.firstEventP50Us,
        ),
    cpuUsPerStream: summarizeFigure(fewestStreamsOf(system), (row) => row.cpuUsPerStream),
    steadyStreams: findSteadyStreams(streamsOf(system)),
    memory: memory.find((row) => row.system === system) ?? null,
    errors: own.reduce((sum, { failures, badStatuses }) => sum + failures + badStatuses, 0),
  };
}

/** Returns the figures of each system, in the order of the measurements. */
export function buildFigures(comparison: Comparison): SystemFigures[] {
  const systems = new Set(comparison.loads.map(({ system }) => system));
  return [...systems].map((system) => buildSystemFigures(comparison, system));
}
