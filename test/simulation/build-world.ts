import { join } from 'node:path';
import { checkCharged } from './check/check-charged.ts';
import { DatabaseReader } from './check/database-reader.ts';
import { FileReader } from './check/file-reader.ts';
import { VendorWatch } from './check/vendor-watch.ts';
import { Clients } from './clients/clients.ts';
import { DATABASE_PORT, DatabaseServer } from './database/database-server.ts';
import { Disk } from './disk/disk.ts';
import { ANTHROPIC, nativeModels, STRIPE_PORT, VENDOR_PORTS, vendorNames } from './gateway/configuration.ts';
import { Gateway, type Program } from './gateway/gateway.ts';
import { copyTemplate, type Template } from './gateway/make-template.ts';
import type { Simulation } from './kernel/simulation.ts';
import { PORT } from './network/call.ts';
import { listenAt } from './network/connect.ts';
import { fetchServers } from './network/fetch.ts';
import { Operators } from './operators/operators.ts';
import { Squeeze } from './operators/squeeze.ts';
import { BatchVendor } from './vendors/batch-vendor.ts';
import { Vendor } from './vendors/vendor.ts';
import type { World } from './world.ts';

/** The seed of a run, and what all runs of a process share. */
export type SeedOptions = {
  seed: number;
  template: Template;
  program: Program;
  /** Called with each line of the trace. */
  shows?: ((line: string) => void) | undefined;
};

/** Builds the processes of a run, each with its own directory, and the database that they share. */
function buildNodes({ template, program }: SeedOptions, simulation: Simulation, directory: string) {
  const configFile = join(template.root, 'tollgate.yaml');
  const count = template.database ? simulation.draws('nodes').between(2, 3) : 1;
  const nodes = Array.from({ length: count }, (_, index) => {
    const own = count === 1 ? directory : join(directory, String(index + 1));
    copyTemplate(template, own);
    const disk = new Disk(simulation, own);
    const name = count === 1 ? 'gateway' : `node${index + 1}`;
    return new Gateway({ simulation, program, disk, name, configFile, port: PORT + index });
  });
  if (!template.database) return { nodes, database: undefined, reader: new FileReader(directory) };
  const { build, state } = template.database;
  build.return(state);
  const database = new DatabaseServer(simulation, build);
  listenAt(simulation, DATABASE_PORT, database);
  return { nodes, database, reader: new DatabaseReader(database) };
}

/** Builds the parts of a run and connects them. */
export function buildWorld(options: SeedOptions, simulation: Simulation, directory: string): World {
  const { template } = options;
  const { nodes, database, reader } = buildNodes(options, simulation, directory);
  const clients = new Clients({
    simulation,
    accounts: template.accounts,
    random: simulation.draws('asking'),
    ports: nodes.map(({ port }) => port),
    onEndRead: (requestId, name) => void checkCharged(world, requestId, name),
  });
  const operators = new Operators({
    simulation,
    accounts: template.accounts,
    adminToken: template.adminToken,
    ports: nodes.map(({ port }) => port),
  });
  fetchServers.listen(simulation, STRIPE_PORT, operators.stripe);
  const squeeze = new Squeeze(operators);
  const watch = new VendorWatch(simulation, clients);
  const vendors: Vendor[] = vendorNames.map((name) => {
    const vendor = new Vendor(simulation, {
      name,
      wire: ANTHROPIC.includes(name) ? 'anthropic-messages' : 'openai-chat',
      calls: watch.calls,
      lastsMs: (marker) => clients.slow.get(marker),
      scriptOf: (marker) => clients.scripts.get(marker),
      began: (call) => watch.began(call),
      ended: (call) => {
        clients.upstreamEnded(call.request.marker);
        world.faults?.answerEnded(call);
      },
    });
    listenAt(simulation, VENDOR_PORTS[name], vendor);
    return vendor;
  });
  for (const name of nativeModels) {
    const vendor = vendors.find(({ parts }) => parts.name === name)!;
    const { wire } = vendor.parts;
    const batches = new BatchVendor({
      simulation,
      name,
      wire,
      batches: watch.batches,
      created: ({ requests }) => squeeze.itemsAway(clients.batchOf(requests[0]!.marker)?.account),
      read: () => world.faults?.resultsRead(),
      isDown: () => vendor.isDown,
      trouble: () => vendor.trouble,
    });
    fetchServers.listen(simulation, VENDOR_PORTS[name], batches);
  }
  const world: World = {
    simulation,
    nodes,
    database,
    reader,
    clients,
    operators,
    squeeze,
    vendors,
    watch,
    template,
    faults: undefined,
    hasStoreTrouble: false,
    counts: {},
  };
  return world;
}
