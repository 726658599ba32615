/** Ends a process when this one ends. The test runner sends no signal, but its pipes close. */
export function endWithUs(child: { pid: number; exited: Promise<number> }): void {
  const watch = Bun.spawn(['sh', '-c', `read -r nothing; kill -9 ${child.pid}`], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  void child.exited.then(() => watch.kill('SIGKILL'));
}
