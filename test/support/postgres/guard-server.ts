import { spawn } from 'node:child_process';

/**
 * Ends the server of the directory, and deletes the directory. The test runner runs no exit handlers, but its
 * pipes close. SIGQUIT lets the server free its shared memory, and its processes may be stopped.
 */
const SCRIPT = `
  trap '' INT TERM HUP
  read -r nothing && exit
  pid=$(head -n 1 "$0/data/postmaster.pid")
  if grep -q "$0" "/proc/$pid/cmdline"; then
    all="$pid $(cat "/proc/$pid/task/$pid/children")"
    kill -CONT $all
    kill -QUIT "$pid"
    tries=0
    while kill -0 "$pid" && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
    kill -KILL $all
  fi
  rm -rf "$0"`;

/** Removes a Postgres server when this process ends, even by SIGKILL. */
export function guardServer(directory: string): { end(): void } {
  // The guard has a separate session, so a signal to the group of this process spares it.
  const guard = spawn('sh', ['-c', SCRIPT, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  return { end: () => void guard.stdin.end('\n') };
}
