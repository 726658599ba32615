import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 250;

/** Returns a text without spaces around it, once its typing has paused. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
