import { useEffect } from 'preact/hooks';

/** Runs again and again while the page is visible, and once when it becomes visible. */
export function usePolling(run: () => Promise<void>, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;
    const runVisible = () => {
      if (document.visibilityState === 'visible') void run();
    };
    const timer = setInterval(runVisible, everyMs);
    document.addEventListener('visibilitychange', runVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', runVisible);
    };
  }, [run, everyMs]);
}
