import type { Asked } from '../clients/asked.ts';
import type { AccountName } from '../gateway/accounts.ts';
import type { ModelName } from '../gateway/configuration.ts';
import type { World } from '../world.ts';

const LOOK_EVERY_MS = 1_000;
const MAX_ATTEMPTS = 10;

/** Checks that a request of an account with credit is served. */
export async function checkServed(world: World, account: AccountName, model: ModelName): Promise<void> {
  const { record, marker } = await askOnce(world, account, model);
  if (record.status !== 200)
    world.simulation.fail(`${marker} of ${account} on ${model} was refused at the end: ${record.handed}`);
}

/** Checks that a request of an account without credit is refused. */
export async function checkRefused(world: World, account: AccountName, model: ModelName): Promise<void> {
  const { record, marker } = await askOnce(world, account, model);
  if (record.status !== 402)
    world.simulation.fail(`${marker} of ${account} got ${record.status} in place of a refusal at the end`);
}

/** Asks again while the gateway has not noticed that the disk works again, which takes a second. */
async function askOnce(
  { clients, simulation }: World,
  account: AccountName,
  model: ModelName,
): Promise<Asked> {
  for (let attempt = 1; ; attempt++) {
    const asked = await clients.ask({ account, model, dialect: 'chat', isStream: false });
    if (asked.record.status !== 503 || attempt === MAX_ATTEMPTS) return asked;
    await simulation.sleep(LOOK_EVERY_MS, 'looks again');
  }
}
