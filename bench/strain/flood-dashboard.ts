// Reads pages of the dashboard's API in one session over 40 connections, until it is stopped. It uses at most
// half a core, so that the figures are those of the gateway.
// It prints the counts of the statuses when it is stopped.

const CONNECTIONS = 40;
const TICK_MS = 5;
const MAX_CPU = 0.5;
const { FLOOD_URL: url = '', FLOOD_COOKIE: cookie = '', FLOOD_PATHS = '' } = process.env;
const paths = FLOOD_PATHS.split(' ');

const statuses: Record<number, number> = {};
let sent = 0;

const began = performance.now();
function mayUseCpu(): boolean {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 <= (performance.now() - began) * MAX_CPU;
}

async function readPages(): Promise<never> {
  for (;;) {
    while (!mayUseCpu()) await Bun.sleep(TICK_MS);
    const path = paths[sent++ % paths.length]!;
    const headers = { cookie, 'x-forwarded-for': '2001:db8:0:100::1' };
    const status = await fetch(url + path, { headers }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

process.on('SIGTERM', () => {
  console.log(JSON.stringify(statuses));
  process.exit(0);
});
for (let index = 0; index < CONNECTIONS; index++) void readPages();
