/** Remembers processes from its input, and ends those that are left when the input closes. */
const WATCH = `
left=
while read -r event id; do
  if [ "$event" = started ]; then left="$left $id"; continue; fi
  others=
  for one in $left; do [ "$one" = "$id" ] || others="$others $one"; done
  left=$others
done
[ -z "$left" ] || kill -9 $left`;

/** The watch for all processes of a test process. A shell for each of them would cost too much. */
let watch: ReturnType<typeof startWatch> | undefined;

function startWatch() {
  const started = Bun.spawn(['sh', '-c', WATCH], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' });
  started.unref();
  return started.stdin;
}

function report(event: 'started' | 'ended', id: number): void {
  watch ??= startWatch();
  watch.write(`${event} ${id}\n`);
  void watch.flush();
}

/** Ends a process when this one ends. The test runner sends no signal, but its pipe closes. */
export function endWithUs(child: { pid: number; exited: Promise<number> }): void {
  report('started', child.pid);
  void child.exited.then(() => report('ended', child.pid));
}
