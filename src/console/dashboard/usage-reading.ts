import type { UsageStore } from '../../watch/requests/usage-store.ts';

/** The account whose usage is read, its source, and the time of the question. */
export type UsageReading = { usage: UsageStore; accountId: string; now: number };
