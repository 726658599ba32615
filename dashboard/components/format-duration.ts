import { type Maybe, orDash, withDecimals } from './format-parts.ts';

/** Formats a duration: 850 ms, 1.24 s, 3 min 20 s, 2 h 5 min, 3 d 4 h. */
export const formatDuration = (ms: Maybe<number>): string =>
  orDash(ms, (value) => {
    const milliseconds = Math.round(value);
    if (milliseconds < 1_000) return `${milliseconds} ms`;
    const hundredths = Math.round(value / 10);
    if (hundredths < 6_000) return `${withDecimals(hundredths / 100, 0, 2)} s`;
    const seconds = Math.round(value / 1_000);
    if (seconds < 3_600) return joined([Math.floor(seconds / 60), 'min'], [seconds % 60, 's']);
    const minutes = Math.round(seconds / 60);
    if (minutes < 1_440) return joined([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min']);
    const hours = Math.round(minutes / 60);
    return joined([Math.floor(hours / 24), 'd'], [hours % 24, 'h']);
  });

const joined = (...parts: [count: number, unit: string][]): string =>
  parts
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
