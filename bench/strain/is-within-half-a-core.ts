const MAX_CPU = 0.5;
const beganAt = performance.now();

/** Reports whether this process has used less than half a core, so that the gateway has the rest. */
export function isWithinHalfACore(): boolean {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 <= (performance.now() - beganAt) * MAX_CPU;
}
