import type { Method } from './wrap-method.ts';

/** Returns wrappers of methods. All of them count, and the call with this number kills the process. */
export function crashingAt(passes: number | undefined) {
  let passed = 0;
  const crash = (): void => {
    if (++passed === passes) process.kill(process.pid, 'SIGKILL');
  };
  const before = (original: Method): Method =>
    function (...args) {
      crash();
      return original.apply(this, args);
    };
  const after = (original: Method): Method =>
    function (...args) {
      const result = original.apply(this, args);
      if (!(result instanceof Promise)) {
        crash();
        return result;
      }
      return result.then((value) => {
        crash();
        return value;
      });
    };
  return { crash, before, after };
}
