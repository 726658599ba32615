import { connect, type Socket } from 'node:net';
import { endWithUs } from './end-with-us.ts';

const program = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () =>
    console.log(server.address().port));
`;

/**
 * Starts a listener that completes no further connections, since its process is stopped and its queue is
 * full. The process runs Node, since the length of Bun's queue cannot be set.
 */
export async function startDeafListener() {
  const child = Bun.spawn(['node', '-e', program], { stdout: 'pipe', stdin: 'ignore' });
  endWithUs(child);
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  child.kill('SIGSTOP');
  const sockets: Socket[] = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Bun.sleep(50);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}
