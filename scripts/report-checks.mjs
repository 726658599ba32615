/**
 * Runs checks one after another. Prints the name of each check when it begins, and then its result. The exit
 * code of the process is 1 if one fails. `problemOf` returns the problem of a check.
 */
export async function reportChecks(checks, problemOf) {
  let failures = 0;
  for (const check of checks) {
    process.stdout.write(`${check.name}: `);
    const problem = await problemOf(check);
    console.log(problem === undefined ? 'ok' : 'FAILED');
    if (problem === undefined) continue;
    failures++;
    console.log(problem.trim().replace(/^/gm, '  '));
  }
  console.log(`\n${checks.length - failures} passed, ${failures} failed`);
  if (failures > 0) process.exitCode = 1;
}
