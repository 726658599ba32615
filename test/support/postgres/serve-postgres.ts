import { PostgresServer } from './postgres-server.ts';

// Runs a server for all processes of a test run, until the standard input ends. The first line is its address.
const server = await PostgresServer.create({ fsync: false });
console.log(server.url);
for await (const _ of Bun.stdin.stream());
await server.remove();
process.exit(0);
