import { join } from 'node:path';
import type { ChildProcesses } from '../child-processes.ts';
import { findFreePort } from '../find-free-port.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { unaryAnswer } from '../workload.ts';

export const findNginx = (): string | null =>
  Bun.which('nginx', { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` });

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Returns a configuration that gives every request the same answer. */
function formatNginxConfiguration(port: number, directory: string): string {
  if (/['$\\]/.test(unaryAnswer)) throw new Error('the answer has a character that nginx would interpret');
  return `
daemon off;
master_process off;
pid ${directory}/nginx.pid;
error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  ${temporaryPaths.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  client_max_body_size 1m;
  client_body_buffer_size 512k;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    default_type application/json;
    location / { return 200 '${unaryAnswer}'; }
  }
}
`;
}

/** Starts the upstream of ordinary requests and returns its port. */
export async function startNginxUpstream(children: ChildProcesses, directory: string): Promise<number> {
  const nginx = findNginx();
  if (nginx === null) throw new Error('nginx is missing: install the Debian package nginx-light');
  const port = findFreePort();
  const file = join(directory, 'nginx.conf');
  await Bun.write(file, formatNginxConfiguration(port, directory));
  const logFile = join(directory, 'nginx.log');
  const command = [nginx, '-p', directory, '-e', 'stderr', '-c', file];
  const child = children.start({ command, logFile });
  await waitUntilAnswering({ url: `http://127.0.0.1:${port}/`, child, logFile });
  return port;
}
