import type { SettingsBook } from '../../console/settings/settings-book.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { LiveBoard } from '../../watch/live/live-board.ts';
import type { AssembledAlerts } from './assemble-alerts.ts';
import type { DrainFollower } from './drain-follower.ts';

/** The changes that other nodes announce. */
export type ChangeFeed = {
  onChange(kind: string, changed: (subject: string) => void): void;
  /** Calls back after a time in which this node may have missed changes. */
  onClosed(closed: () => void): void;
};

type Followers = {
  authenticator: Pick<Authenticator, 'forgetKey' | 'forgetAccount' | 'forgetAll'>;
  alerts: Pick<AssembledAlerts, 'followPurchase'>;
  drains: Pick<DrainFollower, 'follow'>;
  live: Pick<LiveBoard, 'receive'>;
  settings: Pick<SettingsBook, 'load'>;
  onFailure(error: unknown): void;
};

/**
 * Drops what this process keeps in memory of records that other nodes change. Admin tokens are read for every
 * request.
 */
export function followChanges(
  feed: ChangeFeed,
  { authenticator, alerts, drains, live, settings, onFailure }: Followers,
): void {
  feed.onChange('key', (id) => authenticator.forgetKey(id));
  feed.onChange('account', (id) => authenticator.forgetAccount(id));
  feed.onChange('mark', (accountId) => void alerts.followPurchase(accountId).catch(onFailure));
  feed.onChange('drain', () => drains.follow());
  feed.onChange('live', (text) => live.receive(text));
  const load = () => void settings.load().catch(onFailure);
  feed.onChange('setting', load);
  feed.onClosed(() => {
    authenticator.forgetAll();
    drains.follow();
    load();
  });
}
