import { useEffect, useState } from 'preact/hooks';

const DELAY_MS = 250;

/** Returns the text once it has not changed for 250 ms. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
