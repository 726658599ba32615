import { join } from 'node:path';
import type { ScenarioName } from '../benchmark-report.ts';
import { inSandbox } from '../in-sandbox.ts';
import { type Bench, measure } from '../measure.ts';
import { buildGatewayCommand, startTollgate } from '../peers/tollgate.ts';
import { scenarios } from '../scenarios.ts';
import { startUpstream } from '../start-upstream.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { CheckoutMeasurement, CheckoutName } from './checkout-measurement.ts';

type CheckoutsOptions = {
  /** The folder of the other checkout. */
  other: string;
  scenarios: readonly ScenarioName[];
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  connections: number;
};
type StartedCheckout = { checkout: CheckoutName; system: SystemUnderTest };
type Running = { bench: Bench; checkouts: readonly StartedCheckout[] };

const streamIntervalMs = 2;

/** Loads the gateways of two checkouts in turn, with the same upstream. */
export const compareCheckouts = (options: CheckoutsOptions): Promise<CheckoutMeasurement[]> =>
  inSandbox('checkouts', async ({ directory, processes }) => {
    const bench = { children: processes(), directory, connections: options.connections };
    const upstreamPort = await startUpstream({ ...bench, streamIntervalMs });
    const start = async (checkout: CheckoutName, root: string): Promise<StartedCheckout> => {
      const system = await startTollgate(
        { ...bench, upstreamPort, programs: {} },
        { buildCommand: commandOf(root), hasWholeCatalog: false, folder: checkout },
      );
      return { checkout, system };
    };
    const own = await start('this', join(import.meta.dir, '..', '..'));
    const other = await start('other', options.other);
    return await measureInTurn({ bench, checkouts: [own, other] }, options);
  });

/** Builds the command that starts the gateway of the checkout. */
const commandOf = (root: string) => (settings: Parameters<typeof buildGatewayCommand>[0]) => [
  join(root, 'bin', 'tollgate'),
  ...buildGatewayCommand(settings).slice(1),
];

/** Measures every scenario in every round. The order of the checkouts changes with each round. */
async function measureInTurn(
  { bench, checkouts }: Running,
  options: CheckoutsOptions,
): Promise<CheckoutMeasurement[]> {
  const measurements: CheckoutMeasurement[] = [];
  for (let round = 0; round <= options.rounds; round += 1) {
    const seconds = round === 0 ? options.warmUpSeconds : options.seconds;
    for (const name of options.scenarios) {
      for (const { checkout, system } of round % 2 === 0 ? checkouts : checkouts.toReversed()) {
        const measurement = await measure(bench, { scenario: scenarios[name], system }, { round, seconds });
        if (round > 0) measurements.push({ ...measurement, checkout });
      }
    }
  }
  return measurements;
}
