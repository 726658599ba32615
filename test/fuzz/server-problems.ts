import { countHolds, findContradictions } from '../faults/read-ledger.ts';
import { runProgram } from '../support/spawn-program.ts';
import type { TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const IDLE = ['tollgate_in_flight_requests', 'tollgate_open_streams', 'tollgate_queue_length'];

/** The time within which requests under way must end. */
const END_MS = 20_000;

/** Checks a server without clients: no request, hold, debt or logged bug may be left. */
export async function serverProblems(server: TestServer, providers: readonly string[]): Promise<string[]> {
  if (server.hasEnded()) return [`the server has ended: ${server.errors().slice(-2_000)}`];
  const busy = async () => [...(await stillUnderWay(server)), ...(await slotsInUse(server, providers))];
  const isQuiet = async () => (await busy()).length === 0 && countHolds(server.dataDirectory) === 0;
  await waitFor(isQuiet, END_MS).catch(() => {});
  const verified = await runProgram(['ledger', 'verify', '--data', server.dataDirectory]);
  return [
    ...(await busy()),
    ...(countHolds(server.dataDirectory) === 0 ? [] : ['holds are left open']),
    ...(verified.code === 0 ? [] : [`ledger verify: ${verified.stdout}${verified.stderr}`]),
    ...findContradictions(server.dataDirectory),
    ...server
      .log()
      .split('\n')
      .filter((line) => line.includes('unexpected-failure'))
      .slice(0, 5),
    ...(server.errors() === '' ? [] : [`on standard error: ${server.errors().slice(0, 2_000)}`]),
  ];
}

/** The request for the metrics is itself under way. */
async function stillUnderWay(server: TestServer): Promise<string[]> {
  const { text } = await server.call('/metrics');
  return text
    .split('\n')
    .filter((line) => IDLE.some((name) => line.startsWith(name)))
    .filter((line) => Number(line.split(' ').at(-1)) > (line.startsWith(IDLE[0]!) ? 1 : 0));
}

async function slotsInUse(server: TestServer, providers: readonly string[]): Promise<string[]> {
  const views = await Promise.all(providers.map((id) => server.admin('GET', `/providers/${id}`)));
  return views
    .filter(
      ({ body }) =>
        body.slots_in_use !== 0 || body.targets.some((one: { in_flight: number }) => one.in_flight !== 0),
    )
    .map(({ body }) => `slots of ${body.id} are in use`);
}
